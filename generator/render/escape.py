"""Foreign text made safe to show: escaped, and with every invisible character made visible."""

from markupsafe import Markup, escape

from generator.model.visible import visible_again


def foreign(text: str) -> Markup:
    """Foreign text for an HTML page: visible, then escaped once, as a whole."""
    return escape(visible_again(text))


def on_one_line(escaped: str) -> Markup:
    """Escaped text for Markdown, which reads HTML line by line: a fence or a blank line in it would be obeyed."""
    return Markup(escaped.replace("\n", "&#10;"))


def in_pre(text: str) -> Markup:
    """Foreign text as the content of a `pre`, of which a browser drops a line break at the start: it gets another."""
    return line_kept(foreign(text))


def line_kept(html: Markup) -> Markup:
    """HTML that begins in a `pre`, with the line break with which it begins."""
    return Markup("\n") + html if html.startswith("\n") else html


def marked(text: str, spans: list[tuple[int, int, str]]) -> Markup:
    """Foreign text with the stretches `[start, end)` set in a `mark` of the class that stands with them.

    Stretches that leave the text or overlap an earlier one are passed over: offsets are foreign too.
    """
    pieces: list[str] = []
    place = 0
    for start, end, kind in sorted(spans):
        if not place <= start < end <= len(text):
            continue
        pieces += [foreign(text[place:start]), f'<mark class="{kind}">', foreign(text[start:end]), "</mark>"]
        place = end
    pieces.append(foreign(text[place:]))
    return Markup("".join(pieces))
