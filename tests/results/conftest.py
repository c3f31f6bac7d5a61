import pytest
from tests.results.kitchen import BREAD, SOUP, STOCK, written


@pytest.fixture
def book(tmp_path):
    return written(tmp_path / "kitchen", {"soup.md": SOUP, "stock.md": STOCK, "bread.md": BREAD})
