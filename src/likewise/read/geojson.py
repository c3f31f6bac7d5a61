"""GeoJSON: features become records, whose columns are their properties."""

from typing import Any

_PLACE = ("latitude", "longitude")
# What columns of places are called, any of which says that the properties tell where a feature is.
_PLACES = {"lat", "lon", "lng", "long", *_PLACE}


def feature_records(rows: list[Any]) -> tuple[list[dict[str, Any]], str] | None:
    """Return features as records of their properties, and what is said of it; ``None`` of what is no features.

    A collection by itself stands for the features in it. Their ids are a column unless a property is called so, and so
    is where points are unless properties tell it.

    >>> point = {"type": "Point", "coordinates": [7.6, 47.6]}
    >>> feature_records([{"type": "Feature", "id": 7, "properties": {"name": "Basel"}, "geometry": point}])
    ([{'id': 7, 'name': 'Basel', 'latitude': 47.6, 'longitude': 7.6}], 'properties of GeoJSON features')
    """
    if len(rows) == 1 and is_collection(rows[0]):
        rows = rows[0]["features"]
    if not rows or not all(_is_feature(row) for row in rows):
        return None
    held = [row["properties"] or {} for row in rows]
    names = {name for properties in held for name in properties}
    lowered = {name.lower() for name in names}
    points = [_point(row.get("geometry")) for row in rows]
    identified = "id" not in names and any(isinstance(row.get("id"), str | int) for row in rows)
    placed = lowered.isdisjoint(_PLACES) and any(points)
    records = []
    for row, properties, point in zip(rows, held, points, strict=True):
        first = {"id": row.get("id")} if identified else {}
        last = dict(zip(_PLACE, point or (None, None), strict=True)) if placed else {}
        records.append({**first, **properties, **last})
    without = sum(row.get("geometry") is not None and point is None for row, point in zip(rows, points, strict=True))
    many = "1 geometry that is no point" if without == 1 else f"{without:,} geometries that are no points"
    left = f"; {many} left out" if without else ""
    return records, f"properties of GeoJSON features{left}"


def is_collection(value: Any) -> bool:
    """Say whether a value of JSON is a collection of features.

    >>> is_collection({"type": "FeatureCollection", "features": []}), is_collection([])
    (True, False)
    """
    return (
        isinstance(value, dict) and value.get("type") == "FeatureCollection" and isinstance(value.get("features"), list)
    )


def _is_feature(row: Any) -> bool:
    # The standard asks for both members, which may be null; what lacks one may be of another kind.
    return (
        isinstance(row, dict)
        and row.get("type") == "Feature"
        and "geometry" in row
        and isinstance(row.get("properties", ""), dict | None)
    )


def _point(geometry: Any) -> tuple[float, float] | None:
    """Return latitude and longitude of a point, which GeoJSON writes the other way round."""
    if not isinstance(geometry, dict) or geometry.get("type") != "Point":
        return None
    found = geometry.get("coordinates")
    if not isinstance(found, list) or not all(isinstance(one, int | float) for one in found):
        return None
    return (found[1], found[0]) if len(found) > 1 else None
