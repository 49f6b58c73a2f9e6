"""Regular expressions of the definitions."""

import re
import warnings


class PatternError(ValueError):
    """A text is no regular expression; the message says why, and quotes nothing of it."""


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Raises PatternError also for what Python only warns of: a later version would read it in another way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return re.compile(pattern)
    except re.error as error:
        raise PatternError(f"{error.msg} at character {(error.pos or 0) + 1}") from error
    except (OverflowError, RecursionError) as error:
        raise PatternError("one that is too large") from error
    except Warning as error:
        raise PatternError(f"{error}".lower()) from error
