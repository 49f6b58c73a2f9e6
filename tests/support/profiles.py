"""A box profile for the small source: cost, tokens and quality, with limits that are easy to compute with."""

from typing import Any

import yaml

from tests.support.small_definitions import text
from tests.support.small_source import SmallSource

Dict = dict[str, Any]
PROFILE_ID = "shop-box"
PROFILE_FILE = f"profiles/{PROFILE_ID}.yaml"


def factor(name: str, column: str, **changes: Any) -> Dict:
    """Lower is better, τ 1000, k 2, λ 1, unless a keyword says otherwise."""
    reasons = {name: text("测试所需", "what the test needs") for name in ("tau", "k", "lambda")}
    own = {"name": name, "title": text(f"因素 {name}", f"Factor {name}"), "column": column, "direction": "lower"}
    return {**own, "tau": 1000, "k": 2, "lambda": 1, "reasons": reasons, **changes}


def profile(*factors: Dict, **changes: Any) -> Dict:
    """Tokens and quality, unless factors are given."""
    quality = factor("quality", "call_relation_pass_rate", direction="higher", tau=0.8)
    given = list(factors) or [factor("tokens", "total_tokens"), quality]
    return {"id": PROFILE_ID, "version": 1, "title": text("小店", "Shop"), "factors": given, **changes}


def with_profile(source: SmallSource, written: Dict | None = None) -> None:
    """An edit of the small source: the profile is in force."""
    source.publication["box_profile"] = PROFILE_ID
    source.files[PROFILE_FILE] = yaml.safe_dump(written or profile(), allow_unicode=True).encode()


def reference_profile(entry: Dict) -> tuple[Dict, Dict]:
    """The profile of a reference run, and its values: costs, times, and one share."""
    columns = {"cost": "cost_usd", "latency": "duration_ms"}
    config = entry["input"]["config"]
    factors = [
        factor(
            name, columns.get(name, "call_relation_pass_rate"), direction=one["direction"].removesuffix("_is_better")
        )
        | {"tau": float(one["tau"]), "k": float(one["k"]), "lambda": float(one["lambda"])}
        for name, one in config.items()
    ]
    return profile(*factors, method=entry["input"]["method"]), entry["input"]["trace"]
