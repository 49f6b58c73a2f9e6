"""How many kinds there are, from how often each was seen: decision paths that no run has taken yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Chao1:
    """Chao's lower bound of the number of kinds, in three forms; all None when nothing was seen.

    `observed` kinds in `n` observations, `singletons` seen once, `doubletons` twice.
    """

    observed: int
    n: int
    singletons: int
    doubletons: int
    classic: Fraction | None
    bias_corrected: Fraction | None
    classic_n_corrected: Fraction | None

    @property
    def coverage_classic(self) -> Fraction | None:
        """Kinds seen ÷ kinds estimated by the classic form, in (0, 1]."""
        return None if self.classic is None else self.observed / self.classic

    @property
    def coverage(self) -> Fraction | None:
        """Kinds seen ÷ kinds estimated by the bias-corrected form, in (0, 1].

        It is 1 after a single observation, so `n` belongs beside it.
        """
        return None if self.bias_corrected is None else self.observed / self.bias_corrected


def chao1(counts: Iterable[int]) -> Chao1:
    """Estimate the number of kinds from the abundance of each.

    Parameters
    ----------
    counts : iterable of int
        Times each kind was seen, ≥ 0, in any order; zeros are ignored.

    Returns
    -------
    Chao1: `classic` d + f₁²/(2f₂), or d + f₁(f₁ − 1)/2 where f₂ = 0; `bias_corrected` d + f₁(f₁ − 1)/(2(f₂ + 1)),
    defined for every f₂ and the project's default; `classic_n_corrected` has its correction times (n − 1)/n.

    Raises
    ------
    ValueError
        A negative count.

    Source
    ------
    Chao (1984); bias-corrected, Chao (2005); with (n − 1)/n, Chao & Chiu (2016).
    """
    seen = list(counts)
    if any(count < 0 for count in seen):
        raise ValueError(f"counts must not be negative, got {min(seen)}")
    seen = [count for count in seen if count]
    kinds, n = len(seen), sum(seen)
    once, twice = seen.count(1), seen.count(2)
    if not seen:
        return Chao1(0, 0, 0, 0, None, None, None)
    unseen = Fraction(once**2, 2 * twice) if twice else Fraction(once * (once - 1), 2)
    return Chao1(
        observed=kinds,
        n=n,
        singletons=once,
        doubletons=twice,
        classic=kinds + unseen,
        bias_corrected=kinds + Fraction(once * (once - 1), 2 * (twice + 1)),
        classic_n_corrected=kinds + unseen * Fraction(n - 1, n),
    )
