"""Notes that an Inspect log puts on its batch."""

from generator.model.base import Json, Text
from generator.read.importers.arguments import withheld_note
from generator.read.importers.inspect_config import withheld_arguments
from generator.read.importers.values import as_object, as_text


def log_notes(file: str, log: dict[str, Json], prompts: list[str | None]) -> list[Text]:
    """What a reader of the batch has to know of a log."""
    notes = [*withheld_note(file, withheld_arguments(as_object(log.get("eval")))), *_prompt_note(file, prompts)]
    status = as_text(log.get("status"))
    if status in ("error", "cancelled", "started"):
        zh = {"error": "因错误停止", "cancelled": "被取消", "started": "没有写完（进程中断）"}[status]
        en = {"error": "stopped with an error", "cancelled": "was cancelled", "started": "was not finished"}[status]
        notes.append(
            Text(
                zh=f"{file} 的评测{zh}；未运行的单元列为跳过。",
                en=f"The evaluation of {file} {en}; cells that did not run are skipped.",
            )
        )
    return notes


def _prompt_note(file: str, prompts: list[str | None]) -> list[Text]:
    if len(prompts) < 2:
        return []
    return [
        Text(
            zh=f"{file} 中的运行用了不止一种系统提示词；它们不进入配置，因此不参与变体比较的检查。",
            en=f"The runs of {file} had different system prompts; these are not part of the configuration, so the "
            "check of what differs between variants does not see them.",
        )
    ]
