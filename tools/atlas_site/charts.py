"""Line charts as SVG: axes with units, curves labelled by a legend; they scale with the page."""
import math
from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 16, 48
COLOURS = ["#1b6ca8", "#c8453b", "#3a8f4d", "#8a56a8", "#c77f18", "#2a9c9c", "#a8456f", "#6b6b1f", "#4f5fb5", "#7a4a2b"]
DASHES = ["", "7 3", "2 3", "9 3 2 3"]


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def tick_text(value):
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)) + 1e-9)
    return f"1e{power}" if abs(power) > 3 and abs(value / 10**power - 1) < 1e-9 else f"{value:g}"


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
        if self.logarithmic:
            return [10.0**p for p in range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)]
        return linear_ticks(self.low, self.high)


def line_chart(title, x_label, y_label, curves, x_range=None, y_range=None, x_log=False, y_log=False):
    """`curves`: (label, xs, ys[, style]) with the same x unit; style: colour and dash numbers. Points outside are cut."""
    xs = [x for c in curves for x in c[1]]
    ys = [y for c in curves for y in c[2]]
    x_low, x_high = x_range or (min(xs), max(xs))
    y_low, y_high = y_range or (min(ys), max(ys) * 1.05)
    x = Axis(x_low, x_high, LEFT, WIDTH - RIGHT, x_log)
    y = Axis(y_low, y_high, HEIGHT - BOTTOM, TOP, y_log)
    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title, quote=True)}">',
             f"<title>{escape(title)}</title>"]
    for tick in x.ticks():
        place = number(x.at(tick))
        parts.append(f'<path class="grid" d="M{place} {TOP}V{HEIGHT - BOTTOM}"/>'
                     f'<text class="tick" x="{place}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tick_text(tick)}</text>')
    for tick in y.ticks():
        place = number(y.at(tick))
        parts.append(f'<path class="grid" d="M{LEFT} {place}H{WIDTH - RIGHT}"/>'
                     f'<text class="tick" x="{LEFT - 6}" y="{place}" dy="4" text-anchor="end">{tick_text(tick)}</text>')
    for i, curve in enumerate(curves):
        colour, dash = curve[3] if len(curve) > 3 else (i, 0)
        points = [f"{number(x.at(a))} {number(y.at(min(max(b, y_low), y_high)))}" for a, b in zip(curve[1], curve[2])
                  if x_low <= a <= x_high]
        style = f'stroke="{COLOURS[colour % len(COLOURS)]}"' + (f' stroke-dasharray="{DASHES[dash]}"' if DASHES[dash] else "")
        parts.append(f'<path class="curve" {style} d="M{"L".join(points)}"/>')
        row = TOP + 10 + 15 * i
        parts.append(f'<path class="curve" {style} d="M{WIDTH - RIGHT + 12} {row}h26"/>'
                     f'<text class="tick" x="{WIDTH - RIGHT + 44}" y="{row}" dy="4">{escape(curve[0])}</text>')
    parts.append(f'<text class="label" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text class="label" x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">'
                 f"{escape(y_label)}</text></svg>")
    return "".join(parts)
