"""Seventh stage of the path: tables, fields, keys, thresholds, one to one, clusters.

One direction: records -> distinct texts -> join -> records.
"""
