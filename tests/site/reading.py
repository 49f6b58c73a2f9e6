"""What a reader sees of a page: text by language, colours against their ground. Scripts that run in the page."""

from typing import Literal, NamedTuple

from playwright.sync_api import Page

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
FOREIGN = "bdi, pre, code, .rc-language, .st-language, script, style, noscript, [hidden]"
"""Where somebody else's words stand, or the name of the other language: no sentence of the interface."""

_VISIBLE_TEXTS = """(foreign) => {
  const seen = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const parent = node.parentElement;
    if (!text || parent.closest(foreign) || !parent.checkVisibility({visibilityProperty: true})) continue;
    seen.push([text, parent.closest("[lang]").lang]);
  }
  return seen;
}"""
_NAMES = """(foreign) => [...document.querySelectorAll("[aria-label], [title], [alt], [placeholder]")]
  .filter((it) => !it.closest(foreign) && it.checkVisibility())
  .flatMap((it) => ["aria-label", "title", "alt", "placeholder"].map((name) => it.getAttribute(name)))
  .filter(Boolean)"""


def visible_texts(page: Page) -> list[tuple[str, str]]:
    """Each text that is shown, with the language that it is marked as; foreign words left out."""
    return [(text, lang) for text, lang in page.evaluate(_VISIBLE_TEXTS, FOREIGN)]


def accessible_names(page: Page) -> list[str]:
    """Labels, tooltips and alternative texts of what is shown; foreign words left out."""
    names: list[str] = page.evaluate(_NAMES, FOREIGN)
    return names


def turn(page: Page, scheme: Scheme) -> None:
    """Change what the system prefers, and let every transition come to its end. Needs the scripts of the page."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("() => document.getAnimations().forEach((it) => it.finish())")


class Contrast(NamedTuple):
    """A thing that is shown, its colour, the ground it stands on, and their ratio (1 to 21)."""

    what: str
    colour: str
    ground: str
    ratio: float


# Relative luminance and contrast ratio: WCAG 2.2. Colours are composed over their grounds up to the root.
_COLOURS = """
  const parse = (text) => {
    const found = text.match(/^(rgba?|color)\\((?:srgb )?([^)]*)\\)$/);
    if (!found) throw new Error("colour " + text);
    const parts = found[2].split(/[ ,/]+/).filter(Boolean).map(Number);
    const scale = found[1] === "color" ? 255 : 1;
    return [...parts.slice(0, 3).map((part) => part * scale), parts[3] ?? 1];
  };
  const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const groundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (ON_PAPER || colour[3] === 0) continue;
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((ground, layer) => over(layer, ground), [255, 255, 255, 1]);
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    return opacity;
  };
  const name = (element) => {
    const own = element.localName + [...element.classList].map((it) => "." + it).join("");
    const up = element.parentElement;
    return up.localName + [...up.classList].map((it) => "." + it).join("") + " > " + own;
  };
  const show = (colour) => "rgb(" + colour.slice(0, 3).map(Math.round).join(", ") + ")";
  const measured = (element, text, alpha) => {
    const ground = groundOf(element);
    const ink = parse(text);
    ink[3] *= opacityOf(element) * alpha;
    const colour = over(ink, ground);
    return [name(element), show(colour), show(ground), ratio(colour, ground)];
  };
"""
_TEXT_CONTRAST = """([within, ON_PAPER]) => {
  COLOURS
  const found = [];
  const walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const shown = parent.checkVisibility({visibilityProperty: true, opacityProperty: true});
    if (!shown || !node.textContent.trim()) continue;
    const style = getComputedStyle(parent);
    if (style.fontSize === "0px") continue;
    const drawn = parent.closest("svg");
    found.push(measured(parent, drawn ? style.fill : style.color, 1));
  }
  return found;
}""".replace("COLOURS", _COLOURS)
_MARK_CONTRAST = """([marks, ON_PAPER]) => {
  COLOURS
  return [...document.querySelectorAll(marks)].filter((it) => it.checkVisibility()).map((it) => {
    const style = getComputedStyle(it);
    const inks = [[style.fill, style.fillOpacity], [style.stroke, style.strokeOpacity]]
      .filter(([ink]) => ink !== "none" && !ink.startsWith("url"))
      .map(([ink, opacity]) => measured(it, ink, Number(opacity)));
    return inks.sort((a, b) => b[3] - a[3])[0];
  }).filter(Boolean);
}""".replace("COLOURS", _COLOURS)


def text_contrasts(page: Page, within: str = "body", *, on_paper: bool = False) -> list[Contrast]:
    """Of every text that is shown within the first element of that selector; paper has no grounds but white."""
    return _distinct(page.evaluate(_TEXT_CONTRAST, [within, on_paper]))


def mark_contrasts(page: Page, marks: str) -> list[Contrast]:
    """Of each drawn shape that the selector names: the better of its fill and its stroke against its ground."""
    return _distinct(page.evaluate(_MARK_CONTRAST, [marks, False]))


def _distinct(found: list[list[str | float]]) -> list[Contrast]:
    return sorted({Contrast(str(it[0]), str(it[1]), str(it[2]), round(float(it[3]), 2)) for it in found})
