"""schemathesis over the OpenAPI document: no 5xx, every answer fits its schema; bounded to a few examples a route."""

import json
import os
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from likewise.index.index import Index
from likewise.results.paraphrases import Paraphrases


@pytest.fixture(scope="module")
def schema(tmp_path_factory, start_server):
    folder = tmp_path_factory.mktemp("served")
    (folder / "a.csv").write_text("name,city\nAda,London\nada,london\n")
    Index.build(["the law took effect"], path=folder / "laws")
    Paraphrases.of_rows([("came into force", "took effect", 7)]).write(folder / "pp.parquet")
    return schemathesis.openapi.from_url(f"{start_server(folder).address}/openapi.json")


# `make requests`: a thorough run, whose figures are kept.
EXAMPLES = int(os.environ.get("LIKEWISE_EXAMPLES", "8"))
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
def test_every_route(schema, mode):
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 30
    seen = {"routes": len(operations), "made": 0, "wrong": 0}
    for operation in operations:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        def check(case):
            seen["made"] += 1
            try:
                case.validate_response(case.call(), checks=CHECKS)
            except Exception:
                seen["wrong"] += 1
                raise

        try:
            check()
        except Unsatisfiable:
            # A route without parameters has no bad ones.
            assert mode is schemathesis.GenerationMode.NEGATIVE
        finally:
            if "LIKEWISE_REPORT" in os.environ:
                report = Path(os.environ["LIKEWISE_REPORT"])
                known = json.loads(report.read_text()) if report.exists() else {}
                report.write_text(json.dumps({**known, f"{mode.value} ones": seen}, indent=1))
