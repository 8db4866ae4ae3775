// SPDX-License-Identifier: Apache-2.0
"use strict";
// The charts. Each is drawn anew, as wide as there is room.

const MAX_BARS = 20;
const MAX_DOTS = 100;
const PRINTED_WIDTH = 680;
const ROW = {name: 190, height: 40};

/** Okabe and Ito's colours, which the colour-blind can tell apart; the baseline is grey. */
const COLOURS = ["purple", "vermillion", "green", "blue", "orange", "sky", "yellow", "ink"];
const SYMBOLS = [d3.symbolDiamond, d3.symbolCross, d3.symbolTriangle, d3.symbolCircle, d3.symbolSquare];
const OTHERS = ENCODINGS.filter(name => name !== BASELINE);

function colour(encoding) {
  return `var(--${encoding === BASELINE ? "baseline" : COLOURS[OTHERS.indexOf(encoding) % COLOURS.length]})`;
}

/** Of "delta-bitpack" the frame is delta and the child bitpack; a form without a frame is a child. */
function frameOf(form) {
  return form.includes("-") ? form.slice(0, form.indexOf("-")) : "";
}

function childOf(form) {
  return form.slice(form.indexOf("-") + 1);
}

/** As many hues as children, those that have most bytes far apart. */
const CHILDREN = [...new Set(FORMS.map(childOf))];
/** The least stride of more than a third of the circle that goes through all hues. */
const STRIDE = d3.range(Math.ceil(CHILDREN.length / 3) + 1, CHILDREN.length + 2)
  .find(stride => d3.range(2, stride + 1).every(factor => stride % factor > 0 || CHILDREN.length % factor > 0));
const FIRST_HUE = 240;
/** Dark enough for a white page, light enough for a dark one, and apart enough from each other for five frames. */
const LIGHTNESS = [40, 80];
const CHROMA = 48;

/** A hue for each child, and a lightness for each of the frames that it is in. */
const FORM_COLOURS = new Map(d3.groups(FORMS, childOf).flatMap(([child, forms], i) => {
  const hue = FIRST_HUE + 360 * (i * STRIDE % CHILDREN.length) / CHILDREN.length;
  const byFrame = d3.sort(forms, frameOf);
  return byFrame.map((form, frame) => {
    const share = byFrame.length === 1 ? 0.6 : frame / (byFrame.length - 1);
    return [form, d3.hcl(hue, CHROMA, LIGHTNESS[0] + share * (LIGHTNESS[1] - LIGHTNESS[0])).rgb().clamp()];
  });
}));

function formColour(form) {
  return FORM_COLOURS.get(form).formatHex();
}

/** Whether text on the form's colour is to be light. */
function isDark(form) {
  return d3.hcl(FORM_COLOURS.get(form)).l < 50;
}

/** Columns to draw: those that every encoding can store, the largest first. */
function largest(columns, limit) {
  return columns.filter(column => column.comparable)
    .sort((a, b) => b.encodings.get(BASELINE).bytes - a.encodings.get(BASELINE).bytes)
    .slice(0, limit);
}

function canvas(selector, height, label) {
  const box = d3.select(selector);
  const width = printing ? PRINTED_WIDTH : Math.max(320, box.node().clientWidth);
  const svg = box.selectChildren("svg").data([0]).join("svg")
    .attr("role", "img").attr("aria-label", label)
    .attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
  svg.selectChildren().remove();
  return {svg, width};
}

/** Tells of a mark what the pointer is on. */
function tells(marks, lines) {
  const tip = d3.select("#tip");
  marks
    .on("pointermove", (event, mark) => {
      tip.property("hidden", false).selectChildren("div").data(lines(mark)).join("div").text(line => line);
      const box = tip.node().getBoundingClientRect();
      const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
      const below = event.clientY + 18;
      tip.style("left", `${Math.max(8, left)}px`)
        .style("top", `${below + box.height > innerHeight ? event.clientY - box.height - 12 : below}px`);
    })
    .on("pointerleave", () => tip.property("hidden", true));
}

function columnTitle(column) {
  return (column.projection == null ? "" : `${column.projection}/`) + (column.name === "" ? "(no name)" : column.name);
}

/** A text that ends in an ellipsis where it would be wider than that. */
function fit(texts, width) {
  texts.each(function () {
    let characters = [...this.textContent];
    while (characters.length > 1 && this.getComputedTextLength() > width) {
      characters = characters.slice(0, Math.min(characters.length - 1, Math.ceil(
        characters.length * width / this.getComputedTextLength())));
      this.textContent = characters.join("") + "\u2026";
    }
  });
}

/** A group for each column, with its name at the left. */
function columnRows(svg, columns, top, about) {
  const rows = svg.selectAll("g.row").data(columns).join("g")
    .attr("class", "row").attr("transform", (_, i) => `translate(0,${top + i * ROW.height})`);
  const names = rows.append("text").attr("class", "name").attr("y", ROW.height / 2 - 3).text(columnTitle);
  fit(names, ROW.name - 16);
  tells(names, column => [columnTitle(column), column.type]);
  rows.append("text").attr("class", "about").attr("y", ROW.height / 2 + 12).text(about);
  return rows;
}

/** Bars of the size under each encoding, where the baseline's is 1. */
function drawSizes(columns, encodings) {
  const top = 34;
  const {svg, width} = canvas(
    "#sizes", top + columns.length * ROW.height + 8, "Bars: size of each column by encoding, relative to Druid lz4");
  const largestRatio = d3.max(columns, column => d3.max(encodings, name => sizeRatio(column, name))) ?? 1;
  // Beyond twice the baseline bars are cut, and say so, or all others would be tiny.
  const limit = Math.min(2, Math.max(1.1, largestRatio));
  const x = d3.scaleLinear([0, limit], [ROW.name, width - 62]);
  const ticks = x.ticks(Math.max(2, Math.min(6, (width - ROW.name) / 60)));
  const axis = svg.append("g").attr("class", "axis");
  axis.selectAll("line").data(ticks).join("line")
    .attr("x1", x).attr("x2", x).attr("y1", top - 6).attr("y2", top + columns.length * ROW.height);
  axis.selectAll("text").data(ticks).join("text").attr("x", x).attr("y", top - 12).attr("class", "tick")
    .text(d3.format(".1f"));

  const thick = Math.min(14, (ROW.height - 12) / Math.max(1, encodings.length));
  const y = name => (ROW.height - thick * encodings.length) / 2 + encodings.indexOf(name) * thick;
  const rows = columnRows(svg, columns, top, column => format.bytes(column.encodings.get(BASELINE).bytes) + " in lz4");
  const marks = rows.selectAll("rect").data(column => encodings
    .map(encoding => ({column, encoding, ratio: sizeRatio(column, encoding)}))
    .filter(mark => mark.ratio !== null));
  const bars = marks.join("rect").attr("class", "bar").attr("fill", mark => colour(mark.encoding))
    .attr("x", x(0)).attr("y", mark => y(mark.encoding)).attr("height", Math.max(1, thick - 1))
    .attr("width", mark => x(Math.min(mark.ratio, limit)) - x(0));
  tells(bars, mark => [
    columnTitle(mark.column),
    `${shown(mark.encoding)}: ${format.count(mark.column.encodings.get(mark.encoding).bytes)} bytes, ` +
      `${format.ratio(mark.ratio)} of ${format.count(mark.column.encodings.get(BASELINE).bytes)}`
  ]);
  rows.selectAll("text.cut").data(column => bars.data().filter(mark => mark.column === column && mark.ratio > limit))
    .join("text").attr("class", "cut").attr("x", x(limit) - 4).attr("y", mark => y(mark.encoding) + (thick - 1) / 2)
    .text(mark => `${format.ratio(mark.ratio)} \u2192`);
  rows.append("text").attr("class", "value").attr("x", width).attr("y", ROW.height / 2)
    .text(column => format.ratio(sizeRatio(column, DEFAULT)));
  svg.append("line").attr("class", "baseline")
    .attr("x1", x(1)).attr("x2", x(1)).attr("y1", top - 6).attr("y2", top + columns.length * ROW.height);
}

/** Stacked bars of the share that each form has in a column. */
function drawForms(columns, encoding, measure) {
  const top = 34;
  const {svg, width} = canvas(
    "#forms", top + columns.length * ROW.height + 8, `Stacked bars: share of ${measure} by form in each column`);
  const x = d3.scaleLinear([0, 1], [ROW.name, width - 18]);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  svg.append("g").attr("class", "axis").selectAll("text").data(ticks).join("text")
    .attr("x", x).attr("y", top - 12).attr("class", "tick").text(d3.format(".0%"));

  const rows = columnRows(svg, columns, top, column =>
    format.counted(d3.sum(formsOf(column, encoding), ([, usage]) => usage.chunks), "chunk"));
  const shares = rows.selectAll("g").data(column => {
    const forms = formsOf(column, encoding);
    const total = d3.sum(forms, ([, usage]) => usage[measure]);
    let end = 0;
    return forms.filter(([, usage]) => usage[measure] > 0).map(([form, usage]) => {
      const start = end;
      end += usage[measure] / total;
      return {column, form, usage, start, end};
    });
  }).join("g").attr("class", "share");
  const height = 24;
  const wide = share => x(share.end) - x(share.start);
  shares.append("rect").attr("fill", share => formColour(share.form))
    .attr("x", share => x(share.start)).attr("y", (ROW.height - height) / 2)
    .attr("width", wide).attr("height", height);
  shares.filter(share => wide(share) > 12 + 7 * share.form.length).append("text")
    .attr("class", share => isDark(share.form) ? "inside light" : "inside")
    .attr("x", share => (x(share.start) + x(share.end)) / 2).attr("y", ROW.height / 2).text(share => share.form);
  tells(shares, share => [
    columnTitle(share.column),
    `${share.form}: ${format.percent(share.end - share.start)} of ${measure}`,
    `${format.counted(share.usage.chunks, "chunk")}, ${format.counted(share.usage.bytes, "byte")}`
  ]);
}

function formsOf(column, encoding) {
  return [...(column.encodings.get(encoding)?.forms ?? [])];
}

/** A dot for each column and encoding: how large it is, and how fast. */
function drawDots(columns, encodings, read) {
  const dots = columns.flatMap(column => encodings.map(encoding => ({
    column, encoding, size: sizeRatio(column, encoding), speed: speedRatio(column, encoding, read)
  }))).filter(dot => dot.size > 0 && dot.speed > 0);
  const {svg, width} = canvas(
    "#dots", 460, "Dots: speed of each column and encoding against its size, both relative to Druid lz4");
  const [left, right, top, bottom] = [70, width - 20, 14, 408];
  const x = d3.scaleLog(around(dots.map(dot => dot.size)), [left, right]);
  const y = d3.scaleLog(around(dots.map(dot => dot.speed)), [bottom, top]);

  svg.append("rect").attr("class", "better").attr("x", left).attr("y", top)
    .attr("width", x(1) - left).attr("height", y(1) - top);
  const axis = svg.append("g").attr("class", "axis");
  const xs = ticksOf(x.domain(), width / 80);
  const ys = ticksOf(y.domain(), 9);
  axis.selectAll("line.x").data(xs).join("line").attr("x1", x).attr("x2", x).attr("y1", top).attr("y2", bottom);
  axis.selectAll("line.y").data(ys).join("line").attr("y1", y).attr("y2", y).attr("x1", left).attr("x2", right);
  axis.selectAll("text.x").data(xs).join("text").attr("class", "tick").attr("x", x).attr("y", bottom + 18).text(String);
  axis.selectAll("text.y").data(ys).join("text").attr("class", "tick end").attr("x", left - 8).attr("y", y)
    .text(value => value + "\u00d7");
  axis.append("text").attr("class", "title").attr("x", (left + right) / 2).attr("y", bottom + 42)
    .text("size, relative to Druid lz4 (1 = as large)");
  axis.append("text").attr("class", "title").attr("transform", `translate(13,${(top + bottom) / 2}) rotate(-90)`)
    .text("speed, relative to Druid lz4 (1\u00d7 = as fast)");
  svg.append("line").attr("class", "baseline").attr("x1", x(1)).attr("x2", x(1)).attr("y1", top).attr("y2", bottom);
  svg.append("line").attr("class", "baseline").attr("y1", y(1)).attr("y2", y(1)).attr("x1", left).attr("x2", right);
  [
    ["smaller and faster", left + 8, top + 14, "start"],
    ["smaller, slower", left + 8, bottom - 10, "start"],
    ["larger, faster", right - 8, top + 14, "end"],
    ["larger, slower", right - 8, bottom - 10, "end"]
  ].forEach(([text, cornerX, cornerY, anchor], i) => svg.append("text")
    .attr("class", i === 0 ? "corner better" : "corner").attr("x", cornerX).attr("y", cornerY)
    .attr("text-anchor", anchor).text(text));

  const marks = svg.append("g").selectAll("path").data(dots).join("path").attr("class", "dot")
    .attr("d", dot => symbol(dot.encoding))
    .attr("transform", dot => `translate(${x(dot.size)},${y(dot.speed)})`)
    .attr("fill", dot => colour(dot.encoding));
  tells(marks, dot => [
    columnTitle(dot.column),
    shown(dot.encoding),
    `${format.ratio(dot.size)} of the size, ${format.speed(dot.speed)} the speed`
  ]);
}

function symbol(encoding) {
  return d3.symbol(SYMBOLS[OTHERS.indexOf(encoding) % SYMBOLS.length], 64)();
}

/** From the least to the greatest, with 1 and some room at both ends. */
function around(values) {
  const [least, greatest] = d3.extent([...values, 0.8, 1.25]);
  const room = Math.pow(greatest / least, 0.08);
  return [least / room, greatest * room];
}

/** Round numbers within a logarithmic domain, at most so many. */
function ticksOf([least, greatest], atMost) {
  const within = steps => d3.range(-6, 7)
    .flatMap(power => steps.map(step => Number((step * Math.pow(10, power)).toPrecision(2))))
    .filter(value => value >= least && value <= greatest);
  const candidates = [[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9], [1, 1.5, 2, 3, 4, 6, 8], [1, 2, 5], [1, 3], [1]];
  return candidates.map(within).find(ticks => ticks.length <= atMost) ?? within([1]);
}

/** One bar of what the segments' bytes are. */
function drawAnatomy(parts) {
  const {svg, width} = canvas("#anatomy", 46, "Stacked bar: what the bytes of the segments are");
  const x = d3.scaleLinear([0, d3.sum(parts, part => part.bytes)], [0, width]);
  let end = 0;
  const spans = parts.map(part => {
    const start = end;
    end += part.bytes;
    return {part, start, end};
  });
  const shares = svg.selectAll("g").data(spans).join("g").attr("class", "share");
  shares.append("rect").attr("fill", span => `var(--${span.part.colour})`)
    .attr("x", span => x(span.start)).attr("width", span => x(span.end) - x(span.start)).attr("height", 46);
  tells(shares, span => [span.part.label, `${format.count(span.part.bytes)} bytes, ${format.percent(span.part.bytes / end)}`]);
}
