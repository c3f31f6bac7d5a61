import pytest

from likewise.analyse.dates import dates

CASES = [
    ("On August 21, 1959, it", ["1959-08-21"]),
    ("on 21 August 1959 and the 3rd of May, 1960", ["1959-08-21", "1960-05-03"]),
    ("in Sept. 1939 or September 1939", ["1939-09", "1939-09"]),
    ("every July 14 and 25 December", ["--07-14", "--12-25"]),
    ("the 1960s, 1914-1918", ["196X", "1914", "1918"]),
    ("1914–18, 1939-45, pages 1990-12", ["1914", "1918", "1939", "1945", "1990"]),
    ("the 19th century, a 5th-century BC vase", ["18XX", "-04XX"]),
    ("in 44 BC, in AD 79 and 330 B.C.", ["-0044", "0079", "-0330"]),
    ("ISO/IEC-1990 and RFC-1918", []),
    ("from 1914 to 1918", ["1914", "1918"]),
    ("1914–1918", ["1914", "1918"]),
    ("at 2001-09-11 sharp", ["2001-09-11"]),
    ("2001-13-45", []),
    ("in 476 AD", ["0476"]),
    ("in 14 AD, on 24 August 410, and in 453, when Attila died in 453.", ["0014", "0410-08-24", "0453", "0453"]),
    ("Attila (406–453) was king, (100–200 of them) were not", ["0406", "0453"]),
    ("Attila (fl. 434–453), until his death in March 453.", ["0434", "0453", "0453-03"]),
    ("in 453 cases, in 120 the same, by 300 men, in 200.", ["0120", "0200"]),
    ("476 men, 12345 men, 1990th, 50%, 1990%", []),
    ("$1500 and 1,990 and 3.1990", []),
    ("at 1344 m, over 1200 species, 1500 people, 1450 feet, about 1500-mile walks", []),
    ("pid=1876, port 1812, 1812/udp, bug 1712, PID 1876 ran, by 600 GB, 1536 MB, in 1024 MiB", []),
    (
        "year=1876, date=1990-05-01, in 1812 Great Britain, by 600 Gregory was pope, the port of 1813",
        ["1876", "1990-05-01", "1812", "0600", "1813"],
    ),
    ("in 1944 troops and in 1990 members met; around 1850, 1850 men", ["1944", "1990", "1850"]),
    ("it may 5 times march on", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_dates(text, expected):
    found = list(dates(text))
    assert [date.iso for date in found] == expected
    assert all(date.span.of(text).strip() for date in found)


def test_after_christ_is_part_of_the_date():
    text = "It fell in 476 AD to Odoacer."
    assert [date.span.of(text) for date in dates(text)] == ["476 AD"]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("since 1971", ["start"]),
        ("from 1914 to 1918", ["start", "end"]),
        ("between 1914 and 1918", ["start", "end"]),
        ("in 1914 and 1918", ["", ""]),
        ("1914–18", ["start", "end"]),
        ("until the 1960s", ["end"]),
        ("in May 1968", [""]),
    ],
)
def test_roles_in_ranges(text, roles):
    assert [date.role for date in dates(text)] == roles
