"""The mistakes that the agent makes, and how often. Rates are per step or per answer at factor 1."""

from dataclasses import replace

from generator.model.base import Json
from generator.sample.draws import Draws
from generator.sample.plans import Option
from generator.sample.settings import Settings
from generator.sample.tools import Call

RATES = {
    "invented_tool": 0.022,
    "wrong_tool": 0.03,
    "wrong_argument": 0.025,
    "repeated_call": 0.035,
    "mental_arithmetic": 0.06,
    "slip_in_arithmetic": 0.3,
    "before_its_source": 0.045,
    "excluded_by_habit": 0.07,
    "call_without_asking": 0.05,
    "stale_source": 0.035,
    "stale_memory": 0.05,
    "omitted_sentence": 0.035,
    "slipped_digit": 0.03,
    "invented_remark": 0.035,
    "fabricated_value": 0.12,
    "gives_up": 0.22,
}

INVENTED = {
    "get_quote": "get_fund_nav",
    "get_quote_backup": "get_nav_history",
    "get_position": "query_holdings",
    "get_statement": "download_statement",
    "list_transactions": "get_transaction_list",
    "search_docs": "query_knowledge_base",
    "calc": "python_eval",
    "get_ticket": "ticket_detail",
    "create_ticket": "open_case",
    "send_notice": "send_email",
    "read_ledger": "query_ledger",
}
CONFUSED = {
    "get_quote": Option("search_docs", {"topic": "quote"}),
    "get_quote_backup": Option("search_docs", {"topic": "quote"}),
    "get_position": Option("get_statement", {"account": "AC-7781", "month": "2026-10"}),
    "get_statement": Option("get_position", {"account": "AC-7782"}),
    "list_transactions": Option("get_statement", {"account": "AC-7782", "month": "2026-10"}),
    "search_docs": Option("get_ticket", {"ticket": "OP-3105"}),
    "calc": Option("search_docs", {"topic": "formula"}),
    "get_ticket": Option("search_docs", {"topic": "ticket"}),
}
MISREAD = {
    "code": "ZC1010",
    "account": "AC-7718",
    "month": "2025-10",
    "ticket": "OP-3015",
    "topic": "fee",
    "subject": "payable",
}
"""What an argument becomes when it is misread."""


class Mistakes:
    """The mistakes of one run: decisions by name and place."""

    def __init__(self, draws: Draws, settings: Settings):
        self._draws = draws
        self._settings = settings

    def happens(self, kind: str, place: str = "", scale: float = 1.0) -> bool:
        rate = RATES[kind] * self._settings.mistake_factor * scale * self._settings.scale_of(kind)
        return self._draws.chance(f"{kind}:{place}", rate)

    def distort(self, call: Call, place: str, attempt: int) -> Call:
        """The call that is really made: the one that was meant, or a mistaken one. Second attempts err less."""
        scale = 1.0 if attempt == 0 else 0.4
        place = f"{place}:{attempt}"
        unseen = 1.6 if self._settings.by_search else 1.0
        if call.tool in INVENTED and self.happens("invented_tool", place, scale * unseen):
            return Call(INVENTED[call.tool], call.args)
        if call.tool in CONFUSED and self.happens("wrong_tool", place, scale):
            confused = CONFUSED[call.tool]
            return Call(confused.tool, {name: str(value) for name, value in confused.args.items()})
        if self.happens("wrong_argument", place, scale):
            return Call(call.tool, _misread(call.args))
        return call

    def arithmetic(self, call: Call, place: str) -> float:
        """A calculation in the head: right to two decimals, or with one digit slipped."""
        values = [float(str(value)) for value in _list(call.args["values"])]
        exact = {"sum": sum(values), "difference": values[0] - sum(values[1:]), "product": _product(values)}
        value = round(exact[str(call.args["op"])], 2)
        if self.happens("slip_in_arithmetic", place):
            return float(self.slip(f"{value:.2f}", place))
        return value

    def slip(self, number: str, place: str) -> str:
        """The number with one of its digits changed."""
        places = [index for index, character in enumerate(number) if character.isdigit()]
        at = self._draws.pick(f"slip at:{place}", places)
        digit = (int(number[at]) + self._draws.whole(f"slip by:{place}", 1, 8)) % 10
        return f"{number[:at]}{digit}{number[at + 1 :]}"

    def guess(self, call: Call, place: str) -> Call:
        """The call with its numbers guessed, because what they should come from has not arrived yet."""
        guessed: dict[str, Json] = {}
        for name, value in call.args.items():
            if isinstance(value, list):
                guessed[name] = [
                    round(float(str(part)) * (0.8 + 0.4 * self._draws.decision(f"guess:{place}:{index}")), 1)
                    for index, part in enumerate(value)
                ]
            else:
                guessed[name] = value
        return replace(call, args=guessed)


def _misread(args: dict[str, Json]) -> dict[str, Json]:
    """The last argument that can be misread, misread; calculations lose their last value."""
    for name in reversed(args):
        if name in MISREAD:
            return {**args, name: MISREAD[name]}
        if name == "values":
            return {**args, name: _list(args[name])[:-1]}
    return args


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


def _product(values: list[float]) -> float:
    product = 1.0
    for value in values:
        product *= value
    return product
