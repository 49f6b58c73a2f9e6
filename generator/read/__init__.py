"""Files → records, with all that is wrong in them as findings."""
