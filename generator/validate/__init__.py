"""Rules of validity: one check a function, each yields findings under a registered code.

Checks take records and give findings; they never stop at the first, and never quote content of a run that the whitelist
does not publish.
"""
