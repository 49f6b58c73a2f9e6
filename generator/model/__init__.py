"""Frozen records, their schemas, and the decisions that every stage shares: addresses, formats, schedules."""
