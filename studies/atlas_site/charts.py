"""Charts as SVG in the style of the package's pictures: thin frame, units in brackets, colours for the colour-blind too. They scale
with the page; names of curves stand below, as text of the page."""
import math
from html import escape

WIDTH, HEIGHT = 560, 380
LEFT, RIGHT, TOP, BOTTOM = 76, 12, 14, 50
INNER = WIDTH - LEFT - RIGHT
COLOURS = 8  # --c0 to --c7 of style.css: those of cudaprophet.plot, lighter ones on a dark page
TOTAL = ""  # the colour of the text
DASHES = ["", "7 3", "2 3", "9 3 2 3"]
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TOLERANCE = 0.2  # of the places of points, in units of the picture


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def tick_text(value, logarithmic=False):
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)) + 1e-9)
    if not logarithmic and -4 <= power <= 5 or -2 <= power <= 3:
        return f"{value:.6g}"
    factor = f"{value / 10**power:g}"
    return ("" if factor == "1" else factor + "·") + "10" + str(power).translate(RAISED)


def linear_ticks(low, high, count=6):
    step = 10 ** math.floor(math.log10((high - low) / count))
    step = next(step * f for f in (1, 2, 5, 10) if (high - low) / (step * f) <= count)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


class Axis:
    """From values to places between `start` and `end`."""

    def __init__(self, low, high, start, end, logarithmic=False):
        self.logarithmic, self.start, self.end = logarithmic, start, end
        self.low, self.high = (math.log10(low), math.log10(high)) if logarithmic else (low, high)

    def at(self, value):
        value = math.log10(value) if self.logarithmic else value
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self):
        if not self.logarithmic:
            return linear_ticks(self.low, self.high)
        powers = range(math.floor(self.low), math.floor(self.high + 1e-9) + 1)
        factors = (1,) if self.high - self.low >= 1.5 else (1, 2, 5)
        low, high = 10**self.low * (1 - 1e-9), 10**self.high * (1 + 1e-9)
        return [f * 10.0**p for p in powers for f in factors if low <= f * 10.0**p <= high]


def thinned(points):
    """The points of a curve that it needs: leaving out others moves it by TOLERANCE at most (Ramer, Douglas, Peucker)."""
    keep, spans = {0, len(points) - 1}, [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        (ax, ay), (bx, by) = points[first], points[last]
        length = math.hypot(bx - ax, by - ay) or 1.0
        far, at = 0.0, None
        for i in range(first + 1, last):
            distance = abs((bx - ax) * (ay - points[i][1]) - (ax - points[i][0]) * (by - ay)) / length
            if distance > far:
                far, at = distance, i
        if at is not None and far > TOLERANCE:
            keep.add(at)
            spans += [(first, at), (at, last)]
    return [points[i] for i in sorted(keep)]


def stroke(colour, dash=0):
    line = f' style="stroke:var(--c{colour % COLOURS})"' if colour is not TOTAL else ""
    return line + (f' stroke-dasharray="{DASHES[dash]}"' if DASHES[dash] else "")


def text(x, y, words, kind="tick", anchor="middle", more=""):
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def frame(title, x_label, y_label, x, y, x_ticks=None):
    """The beginning of a chart: its grid, frame, ticks and the names of the axes. `x_ticks`: (place, words), or those of the axis."""
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title, quote=True)}">',
             f"<title>{escape(title)}</title>"]
    if x_ticks is None:
        x_ticks = [(x.at(tick), tick_text(tick, x.logarithmic)) for tick in x.ticks()]
        parts += [f'<path class="grid" d="M{number(place)} {TOP}V{bottom}"/>' for place, _ in x_ticks]
    parts += [text(place, bottom + 18, words) for place, words in x_ticks]
    for tick in y.ticks():
        parts.append(f'<path class="grid" d="M{LEFT} {number(y.at(tick))}H{right}"/>')
        parts.append(text(LEFT - 6, y.at(tick) + 5, tick_text(tick, y.logarithmic), anchor="end"))
    parts.append(f'<path class="frame" d="M{LEFT} {TOP}H{right}V{bottom}H{LEFT}Z"/>')
    parts.append(text((LEFT + right) / 2, HEIGHT - 8, x_label, "label"))
    middle = (TOP + bottom) / 2
    parts.append(text(14, middle, y_label, "label", more=f' transform="rotate(-90 14 {number(middle)})"'))
    return parts


def figure(parts, legend=()):
    """`legend`: (name, colour, dash)."""
    names = "".join(f'<li><svg class="key" viewBox="0 0 26 8" aria-hidden="true"><path class="curve" d="M0 4h26"{stroke(colour, dash)}/></svg>'
                    f"{escape(name)}</li>" for name, colour, dash in legend)
    return "<figure>" + "".join(parts) + "</svg>" + (f'<ul class="legend">{names}</ul>' if names else "") + "</figure>"


def line_chart(title, x_label, y_label, curves, x_range=None, y_range=None, x_log=False, y_log=False):
    """`curves`: (name, xs, ys, colour, dash); a part outside of the ranges is cut."""
    xs, ys = [x for c in curves for x in c[1]], [y for c in curves for y in c[2]]
    x_low, x_high = x_range or (min(xs), max(xs))
    y_low, y_high = y_range or (min(ys), max(ys) * 1.05)
    x = Axis(x_low, x_high, LEFT, WIDTH - RIGHT, x_log)
    y = Axis(y_low, y_high, HEIGHT - BOTTOM, TOP, y_log)
    parts = frame(title, x_label, y_label, x, y)
    for _, across, up, colour, dash in curves:
        points = [(x.at(a), y.at(min(max(b, y_low), y_high))) for a, b in zip(across, up) if x_low <= a <= x_high]
        path = "L".join(f"{number(a)} {number(b)}" for a, b in thinned(points))
        parts.append(f'<path class="curve" d="M{path}"{stroke(colour, dash)}/>')
    return figure(parts, [(name, colour, dash) for name, _, _, colour, dash in curves])


def apart(places, least):
    """Places of texts, descending as those given, at least so far from each other and moved as little as that takes."""
    groups = []  # [sum of places without the distances below them, number]
    for place in places:
        groups.append([place, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] - groups[-2][1] * least < groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1] = [groups[-1][0] + total + count * groups[-1][1] * least, groups[-1][1] + count]
    return [total / count - i * least for total, count in groups for i in range(count)]


def level_chart(title, x_label, y_label, columns, y_log=False, turned=False):
    """`columns`: (name, [(value, words, colour)]). Lines at the values with words beside them; turned: the smallest are at the top."""
    values = [v for _, lines in columns for v, _, _ in lines]
    low, high = min(values), max(values)
    if y_log:
        low, high = low / 1.4, high * 1.25
    else:
        margin = 0.06 * (high - low) or 1.0
        low, high = low - 2.5 * margin, high + margin  # words stand below the lowest lines where these lie close
    y = Axis(low, high, *((TOP, HEIGHT - BOTTOM) if turned else (HEIGHT - BOTTOM, TOP)), y_log)
    wide = (WIDTH - RIGHT - LEFT) / len(columns)
    parts = frame(title, x_label, y_label, None, y, [(LEFT + (i + 0.5) * wide, name) for i, (name, _) in enumerate(columns)])
    for i, (_, lines) in enumerate(columns):
        start, end = LEFT + (i + 0.08) * wide, LEFT + (i + 0.46) * wide
        ordered = sorted(lines, key=lambda line: -y.at(line[0]))
        for (value, words, colour), place in zip(ordered, apart([y.at(line[0]) for line in ordered], 14)):
            height = number(y.at(value))
            parts.append(f'<path class="level" d="M{number(start)} {height}H{number(end)}"{stroke(colour)}/>')
            if words:
                parts.append(f'<path class="grid" d="M{number(end)} {height}L{number(end + 5)} {number(place)}"/>')
                parts.append(text(end + 7, place + 5, words, "name", "start"))
    return figure(parts)


def bars(title, x_label, y_label, columns, y, room, legend=()):
    """`columns`: (name, [(value, colour)], [(place of the bar, place of the text, words)]); `room` that the words take. A path for all bars
    of a colour in a column."""
    wide = INNER / len(columns)
    parts = frame(title, x_label, y_label, None, y, [(LEFT + (i + 0.5) * wide, name) for i, (name, _, _) in enumerate(columns)])
    for i, (_, lines, texts) in enumerate(columns):
        length = min(0.92 * wide - room, 0.7 * wide, 90)
        start = LEFT + (i + 0.5) * wide - (length + room) / 2
        end = start + length
        for colour in sorted({colour for _, colour in lines}):
            path = "".join(f"M{number(start)} {number(y.at(value))}H{number(end)}" for value, of in lines if of == colour)
            parts.append(f'<path class="level" d="{path}"{stroke(colour)}/>')
        for of, place, words in texts:
            if abs(of - place) > 1:
                parts.append(f'<path class="grid" d="M{number(end)} {number(of)}L{number(end + 4)} {number(place)}"/>')
            parts.append(text(end + 5, place + 4.5, words, "name", "start"))
    return figure(parts, legend)


def point_chart(title, x_label, y_label, points):
    """`points`: (name, x, y), y on a logarithmic scale."""
    xs, ys = [p[1] for p in points], [p[2] for p in points]
    width = max(xs) - min(xs) or 1.0
    x = Axis(max(0, min(xs) - 0.08 * width), max(xs) + 0.3 * width, LEFT, WIDTH - RIGHT)
    y = Axis(min(ys) / 2, max(ys) * 2, HEIGHT - BOTTOM, TOP, True)
    parts = frame(title, x_label, y_label, x, y)
    ordered = sorted(points, key=lambda p: -y.at(p[2]))
    for (name, across, up), place in zip(ordered, apart([y.at(p[2]) for p in ordered], 16)):
        parts.append(f'<circle cx="{number(x.at(across))}" cy="{number(y.at(up))}" r="4" style="fill:var(--c0)"/>')
        parts.append(text(x.at(across) + 9, place + 5, name, "name", "start"))
    return figure(parts)
