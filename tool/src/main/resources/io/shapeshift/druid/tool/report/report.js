// SPDX-License-Identifier: Apache-2.0
"use strict";
// Puts the page together, and draws it again where something is chosen.

let printing = false;
/** What the segments' bytes are, in the order and the colours of the chart. */
const PARTS = [
  ["compared", "rows of the columns compared here", "blue"],
  ["values", "rows of other columns", "sky"],
  ["dictionary", "dictionaries", "orange"],
  ["index", "indexes", "green"],
  ["other", "other data of columns", "purple"],
  ["rest", "descriptors and metadata", "vermillion"]
];
const charts = {
  // What takes no part in the choice between compressions would only squeeze the scale, and few use Druid's auto.
  encodings: new Set(OTHERS.filter(name => !/^druid-(uncompressed$|auto-)/.test(name))),
  formsEncoding: null,
  measure: "bytes",
  read: "scan"
};
const view = {segments: analysis.segments, columns: [], totals: null};

function shownEncodings() {
  return OTHERS.filter(name => charts.encodings.has(name));
}

function paragraph(parent, name, text) {
  return parent.append("p").attr("class", name).text(text);
}

// ---- above the charts

function drawScope() {
  d3.select("#scope").text(analysis.segments.length === 0 ? "" : view.segments.length === 1
    ? `${view.segments[0].path}, ${view.segments[0].interval}`
    : `${format.counted(view.segments.length, "segment")}; columns of the same name count as one`);
}

function drawFacts() {
  const facts = [
    ["segments", format.count(view.segments.length)],
    ["rows", format.count(d3.sum(view.segments, segment => segment.rows))],
    ["columns", format.count(view.columns.length)],
    ["in all files", format.bytes(d3.sum(view.segments, segment => segment.bytes))]
  ];
  const boxes = d3.select("#facts").selectAll("div").data(facts).join("div");
  boxes.selectAll("dt").data(([label]) => [label]).join("dt").text(label => label);
  boxes.selectAll("dd").data(([, value]) => [value]).join("dd").text(value => value);
}

function drawStatement() {
  const box = d3.select("#statement");
  box.selectChildren().remove();
  const [lz4, best] = [BASELINE, DEFAULT].map(name => view.totals.encodings.get(name));
  if (!lz4 || !best || lz4.bytes === 0) {
    paragraph(box, "lead", analysis.segments.length === 0
      ? "There is no segment in this analysis."
      : "No column here can be stored in shape-shifting form: there is nothing to compare.");
    return;
  }
  const [wholeBefore, whole] = [BASELINE, DEFAULT].map(name => segmentBytes(view.segments, name));
  const isOne = view.segments.length === 1;
  paragraph(box, "figure", format.ratio(whole / wholeBefore));
  paragraph(box, "lead", `With the default target, the whole ${isOne ? "segment takes" : "segments take"} ` +
    `${format.ratio(whole / wholeBefore)} of what ${isOne ? "it takes" : "they take"} with Druid lz4: ` +
    `${format.bytes(whole)} instead of ${format.bytes(wholeBefore)}.`);
  const part = (what, bytes) => lz4[bytes] === 0 ? "" : `, their ${what} ${format.ratio(best[bytes] / lz4[bytes])} ` +
    `(${format.bytes(best[bytes])} instead of ${format.bytes(lz4[bytes])})`;
  paragraph(box, "", `That counts all files. The rows of ${theColumns()} that can shape-shift, which are dictionary ` +
    `ids, numbers and objects, take ${format.ratio(best.bytes / lz4.bytes)} of what they take with Druid lz4 ` +
    `(${format.bytes(best.bytes)} instead of ${format.bytes(lz4.bytes)})${part("indexes", "indexBytes")}` +
    `${part("dictionaries", "dictionaryBytes")}. Columns of other types stay as they are.`);
}

function theColumns() {
  return view.totals.count === 1 ? "the one column" : `the ${format.counted(view.totals.count, "column")}`;
}

function drawWhole() {
  const {bytes, comparableBytes} = view.totals;
  const whole = d3.sum(view.segments, segment => segment.bytes);
  const sizes = {
    ...bytes, compared: comparableBytes, values: bytes.values - comparableBytes, rest: Math.max(0, whole - bytes.total)
  };
  const parts = PARTS.map(([key, label, colour]) => ({label, colour, bytes: sizes[key]})).filter(part => part.bytes > 0);
  d3.select("#whole").property("hidden", parts.length === 0);
  if (parts.length === 0) {
    return;
  }
  drawAnatomy(parts);
  legend("#anatomy-legend", parts, part => `var(--${part.colour})`, part =>
    `${part.label}: ${format.bytes(part.bytes)}, ${format.percent(part.bytes / d3.sum(parts, p => p.bytes))}`);
}

function legend(selector, items, colourOf, text) {
  const entries = d3.select(selector).selectAll("li").data(items).join("li");
  entries.selectAll("i").data(item => [item]).join("i").attr("aria-hidden", true).style("background", colourOf);
  entries.selectAll("span").data(item => [item]).join("span").text(text);
}

function drawTargets() {
  const {encodings} = view.totals;
  d3.select("#targets").property("hidden", encodings.size === 0);
  if (encodings.size === 0) {
    return;
  }
  const measured = READS.filter(read => [...encodings.values()].every(encoding => encoding.nanos[read] !== null));
  d3.select("#targets-note").text(`The rows of ${theColumns()} that every encoding can store; and whole segments, with indexes and all else, ` +
    `relative to Druid lz4. ` + (view.columns.some(column => column.hasObjects)
      ? "Druid has objects of complex types uncompressed, as by default. " : "") + (measured.length > 0 ? "Speed is the time that Druid lz4 takes, divided by that of the encoding: " +
      `the geometric mean over the columns, measured on ${analysis.jvm}.` : ""));
  const largestBytes = d3.max([...encodings.values()], encoding => encoding.bytes);
  const headings = ["Encoding", "Bytes", "Relative to Druid lz4", "Whole segments", ...measured.map(read => read === "scan"
    ? "Speed, all rows" : "Speed, 1 row in 100"), "Bytes as a bar"];
  const table = d3.select("#encodings");
  table.selectAll("thead").data([0]).join("thead").selectAll("tr").data([0]).join("tr").selectAll("th").data(headings)
    .join("th").attr("scope", "col").attr("class", (_, i) => i === 0 || i === headings.length - 1 ? "text" : "number")
    .text(text => text);
  const rows = table.selectAll("tbody").data([0]).join("tbody").selectAll("tr").data([...encodings.keys()])
    .join("tr").attr("class", name => name === DEFAULT ? "default" : null);
  const names = rows.selectAll("th").data(name => [name]).join("th").attr("scope", "row").attr("class", "text");
  names.selectAll("i").data(name => [name]).join("i").attr("aria-hidden", true).style("background", colour);
  names.selectAll("span").data(name => [name]).join("span")
    .text(name => shown(name) + (name === DEFAULT ? " (default target)" : ""));
  const cells = rows.selectAll("td").data(name => [
    format.count(encodings.get(name).bytes),
    textOf({text: format.ratio}, sizeRatio(view.totals, name)),
    textOf({text: format.ratio}, segmentRatio(view.segments, name)),
    ...measured.map(read => textOf({text: format.speed}, speedRatio(view.totals, name, read))),
    {name, share: encodings.get(name).bytes / largestBytes}
  ]).join("td").attr("class", cell => cell.name ? "meter" : "number");
  cells.text(cell => cell.name ? "" : cell);
  cells.filter(cell => cell.name).selectAll("i").data(cell => [cell]).join("i").attr("aria-hidden", true)
    .style("width", cell => `${100 * cell.share}%`).style("background", cell => colour(cell.name));
}

// ---- the charts

function drawEncodingsLegend() {
  const items = d3.select("#encodings-legend").selectAll("li").data(ENCODINGS).join("li")
    .attr("class", name => name === BASELINE ? "line" : null);
  const labels = items.selectAll("label").data(name => [name]).join("label");
  labels.selectAll("input").data(name => name === BASELINE ? [] : [name]).join("input").attr("type", "checkbox")
    .property("checked", name => charts.encodings.has(name))
    .on("change", (event, name) => {
      charts.encodings[event.target.checked ? "add" : "delete"](name);
      drawCharts();
    });
  labels.selectAll("i").data(name => [name]).join("i").attr("aria-hidden", true).style("background", colour);
  labels.selectAll("span").data(name => [name]).join("span").text(name => shown(name) + (
    name === BASELINE ? " = 1" : name === DEFAULT ? " (default)" : ""));
}

function drawCharts() {
  const bars = largest(view.columns, MAX_BARS);
  d3.select("#by-column").property("hidden", bars.length === 0);
  if (bars.length > 0) {
    d3.select("#charts-note").text(topNote(bars.length));
    drawEncodingsLegend();
    drawSizes(bars, shownEncodings());
    drawFormsChart(bars);
  }
  const dots = largest(view.columns, MAX_DOTS);
  d3.select("#speed").property("hidden", dots.length === 0);
  if (dots.length > 0) {
    const measured = isMeasured(dots, charts.read);
    d3.select("#dots").property("hidden", !measured);
    d3.select("#speed .control").property("hidden", !measured);
    d3.select("#speed-note").text((measured
      ? `A mark for each column and encoding. ${topNote(dots.length)}`
      : "How fast these columns are read was not measured.") + tooSmallNote());
    if (measured) {
      drawDots(dots, shownEncodings(), charts.read);
      drawDotsLegend();
    }
  }
}

/** Why columns have no speed; empty if it was asked of none, or all are large enough. */
function tooSmallNote() {
  const least = analysis.speedMinRows;
  return view.segments.some(segment => segment.columns.some(column => column.rows < least))
    ? ` Columns of fewer than ${format.count(least)} rows in a segment are too small to be measured.`
    : "";
}

function drawDotsLegend() {
  const entries = d3.select("#dots-legend").selectAll("li").data(shownEncodings()).join("li");
  entries.selectAll("svg").data(name => [name]).join("svg").attr("aria-hidden", true)
    .attr("width", 14).attr("height", 14).attr("viewBox", "-7 -7 14 14")
    .selectAll("path").data(name => [name]).join("path").attr("d", symbol).attr("fill", colour);
  entries.selectAll("span").data(name => [name]).join("span").text(shown);
}

function topNote(count) {
  return count === view.totals.count
    ? `${count === 1 ? "The one column" : `All ${format.count(count)} columns`} that every encoding can store.`
    : `The ${format.count(count)} columns whose rows take most with Druid lz4, of the ` +
      `${format.count(view.totals.count)} that every encoding can store; the table has all.`;
}

function drawFormsChart(bars) {
  const withForms = ENCODINGS.filter(name => bars.some(column => formsOf(column, name).length > 0));
  if (!withForms.includes(charts.formsEncoding)) {
    charts.formsEncoding = withForms.includes(DEFAULT) ? DEFAULT : withForms[0];
  }
  d3.select("#forms-encoding").selectAll("option").data(withForms).join("option").attr("value", name => name)
    .property("selected", name => name === charts.formsEncoding).text(name => name.replace(/^shapeshift-/, ""));
  d3.select("#forms-scope").text(`${shown(charts.formsEncoding ?? "")}, share of ${charts.measure}`);
  drawForms(bars, charts.formsEncoding, charts.measure);
  const used = d3.sort(
    new Set(bars.flatMap(column => formsOf(column, charts.formsEncoding).map(([form]) => form))),
    form => FORMS.indexOf(form)
  );
  legend("#forms-legend", used, formColour, form => form);
}

// ---- all of it

function draw() {
  view.columns = columnsOf(view.segments);
  view.totals = totalsOf(view.columns);
  drawScope();
  drawFacts();
  drawStatement();
  drawWhole();
  drawTargets();
  drawCharts();
  d3.select("#table").property("hidden", view.columns.length === 0);
  showTable(view.columns);
}

function drawAgain() {
  drawWhole();
  drawCharts();
}

function listen() {
  const on = (selector, event, action) => d3.select(selector).on(event, e => action(e.target.value));
  on("#segment", "change", value => {
    view.segments = value === "" ? analysis.segments : [analysis.segments[Number(value)]];
    draw();
  });
  on("#forms-encoding", "change", value => {
    charts.formsEncoding = value;
    drawCharts();
  });
  on("#forms-measure", "change", value => {
    charts.measure = value;
    drawCharts();
  });
  on("#speed-read", "change", value => {
    charts.read = value;
    drawCharts();
  });
  on("#filter", "input", value => {
    table.filter = value;
    drawRows();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (!printing && innerWidth !== width) {
      width = innerWidth;
      drawAgain();
    }
  });
  addEventListener("beforeprint", () => {
    printing = true;
    drawAgain();
  });
  addEventListener("afterprint", () => {
    printing = false;
    drawAgain();
  });
}

function drawChoice() {
  d3.select("#choice").property("hidden", analysis.segments.length < 2);
  d3.select("#segment").selectAll("option").data(["", ...analysis.segments.keys()]).join("option")
    .attr("value", i => i)
    .text(i => i === "" ? "all segments together" : analysis.segments[i].path);
}

listen();
drawChoice();
draw();
