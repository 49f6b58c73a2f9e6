"""Sources that are wrong in ways nobody planned: each is refused with findings or passes; none breaks the program.

`python -m tests.fuzz --seed S --number N` makes mutant N again, shows what was changed, and what came of it.
"""
