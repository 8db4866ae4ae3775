// SPDX-License-Identifier: Apache-2.0
"use strict";
// The table of all columns: sorted, filtered, with the groups of figures that are asked for.

const MISSING = "\u2013";
const collator = new Intl.Collator("en", {numeric: true});
const table = {
  columns: [],
  fields: [],
  groups: [],
  hidden: new Set(["bytes", "textIndex", ...READS]),
  sort: {key: "values", descending: true},
  filter: ""
};

/** A figure of a column: how it is headed, what it is and how it reads; sums stand in the last row. */
function number(group, key, label, value, text, sum) {
  return {group, key, label, value, text: text ?? format.count, sum: sum ?? (totals => value(totals)), numeric: true};
}

function fieldsOf(columns) {
  const noSum = () => null;
  const byEncoding = (group, names, value, text) => names.map(name =>
    number(group, `${group}:${name}`, shown(name), column => value(column, name), text));
  const fields = [
    {group: null, key: "name", label: "Column", value: columnTitle, text: String, sum: noSum},
    {group: null, key: "type", label: "Type", value: column => column.type, text: String, sum: noSum},
    number(null, "rows", "Rows", column => column.rows, format.count, noSum),
    number(null, "cardinality", "Distinct values", column => column.cardinality ?? null, format.count, noSum),
    number("today", "total", "All", column => column.bytes.total),
    number("today", "dictionary", "Dictionary", column => column.bytes.dictionary),
    number("today", "values", "Row part", column => column.bytes.values),
    number("today", "index", "Index", column => column.bytes.index),
    number("today", "other", "Other", column => column.bytes.other),
    {group: "today", key: "stored", label: "Encoding", value: column => column.stored, text: String, sum: noSum},
    ...byEncoding("bytes", ENCODINGS, (column, name) => column.encodings.get(name)?.bytes ?? null, format.count),
    ...byEncoding("ratio", OTHERS, sizeRatio, format.ratio),
    ...READS.filter(read => isMeasured(columns, read)).flatMap(read =>
      byEncoding(read, OTHERS, (column, name) => speedRatio(column, name, read), format.speed)),
    ...columns.some(column => column.textIndexBytes) ? [
      number("textIndex", "textIndexBytes", "Bytes", column => column.textIndexBytes, format.count, noSum),
      number("textIndex", "textIndexSpeed", "Speed of a search, relative to Druid",
        column => quotient(column.search?.druidNs, column.search?.indexedNs), format.speed, noSum)
    ] : [],
    {group: "forms", key: "forms", label: "and chunks in each", value: formsText, text: String, sum: noSum}
  ];
  return OTHERS.length > 0 ? fields : fields.filter(field => field.group !== "bytes" && field.group !== "forms");
}

const GROUPS = new Map([
  ["today", "Bytes today"],
  ["bytes", "Bytes of the row part by encoding"],
  ["ratio", "Size, relative to Druid lz4"],
  ["scan", "Speed of reading all rows, relative to Druid lz4"],
  ["select", "Speed of reading 1 row in 100, relative to Druid lz4"],
  ["textIndex", "Text index that it could have"],
  ["forms", "Forms, default target"]
]);

function formsText(column) {
  return formsOf(column, DEFAULT).map(([form, usage]) => `${form} ${format.count(usage.chunks)}`).join(", ");
}

function showTable(columns) {
  table.columns = columns;
  table.fields = fieldsOf(columns);
  table.groups = [...GROUPS.keys()].filter(group => table.fields.some(field => field.group === group));
  const labels = d3.select("#groups").selectAll("label").data(table.groups, group => group).join(enter => {
    const label = enter.append("label");
    label.append("input").attr("type", "checkbox").on("change", (event, group) => {
      table.hidden[event.target.checked ? "delete" : "add"](group);
      drawHead();
      drawRows();
    });
    label.append("span").text(group => GROUPS.get(group));
    return label;
  });
  labels.select("input").property("checked", group => !table.hidden.has(group));
  drawHead();
  drawRows();
}

function visibleFields() {
  return table.fields.filter(field => !table.hidden.has(field.group));
}

/** Where a group begins there is a line. */
function classOf(field, i, fields) {
  return [
    field.numeric ? "number" : "text",
    field.key,
    i > 0 && field.group !== fields[i - 1].group ? "first" : ""
  ].join(" ").trim();
}

function drawHead() {
  const fields = visibleFields();
  const head = d3.select("#columns").selectAll("thead").data([0]).join("thead");
  const spans = d3.groups(fields, field => field.group);
  head.selectAll("tr.spans").data([0]).join("tr").attr("class", "spans")
    .selectAll("th").data(spans).join("th")
    .attr("scope", "colgroup").attr("class", (_, i) => i === 0 ? null : "first")
    .attr("colspan", ([, ofGroup]) => ofGroup.length).text(([group]) => group === null ? "" : GROUPS.get(group));
  const cells = head.selectAll("tr.fields").data([0]).join("tr").attr("class", "fields")
    .selectAll("th").data(fields, field => field.key).join(enter => {
      const cell = enter.append("th").attr("scope", "col");
      cell.append("button").attr("type", "button").on("click", (_, field) => sortBy(field));
      return cell;
    }).order().attr("class", (field, i) => classOf(field, i, fields)).attr("data-key", field => field.key);
  cells.select("button").text(field => field.label);
  markSort();
}

function markSort() {
  d3.selectAll("#columns tr.fields th").attr("aria-sort", field => field.key !== table.sort.key
    ? null : table.sort.descending ? "descending" : "ascending");
}

function sortBy(field) {
  table.sort = {key: field.key, descending: table.sort.key === field.key && !table.sort.descending};
  markSort();
  drawRows();
}

/** What is not known comes last, either way. */
function compare(field, descending) {
  return (a, b) => {
    const [first, second] = [field.value(a), field.value(b)];
    const [noFirst, noSecond] = [first, second].map(value => value === null || value === "");
    if (noFirst || noSecond) {
      return noFirst - noSecond;
    }
    const order = field.numeric ? d3.ascending(first, second) : collator.compare(first, second);
    return descending ? -order : order;
  };
}

function matches(column) {
  const text = [columnTitle(column), column.type, column.stored, formsText(column), ...column.problems].join("\n");
  return text.toLowerCase().includes(table.filter.trim().toLowerCase());
}

function drawRows() {
  const fields = visibleFields();
  const columns = table.columns.filter(matches);
  const sorted = table.fields.find(field => field.key === table.sort.key);
  if (sorted) {
    columns.sort(compare(sorted, table.sort.descending));
  }
  const rows = d3.select("#columns").selectAll("tbody").data([0]).join("tbody").selectAll("tr").data(columns).join("tr");
  const values = column => fields.map((field, i) => ({
    column, field, i, text: textOf(field, field.value(column)), muted: !column.comparable && field.key.includes(":")
  }));
  rows.selectAll("th").data(column => values(column).slice(0, 1)).join("th").attr("scope", "row").attr("class", "name")
    .each(nameCell);
  rows.selectAll("td").data(column => values(column).slice(1)).join("td")
    .attr("class", cell => classOf(cell.field, cell.i, fields) + (cell.muted ? " muted" : "")).text(cell => cell.text);

  const totals = totalsOf(columns);
  const foot = d3.select("#columns").selectAll("tfoot").data([0]).join("tfoot").selectAll("tr").data([0]).join("tr");
  foot.selectAll("th").data([`Total of ${format.counted(columns.length, "column")}`]).join("th").attr("scope", "row")
    .attr("class", "name").text(text => text);
  foot.selectAll("td").data(fields.slice(1)).join("td").attr("class", (field, i) => classOf(field, i + 1, fields))
    .text(field => textOf(field, field.sum(totals), ""));
  d3.select("#count").text(columns.length === table.columns.length
    ? format.counted(columns.length, "column")
    : `${format.count(columns.length)} of ${format.counted(table.columns.length, "column")}`);
  const uncounted = columns.length - totals.count;
  d3.select("#table-note").text([
    uncounted === 0 || totals.count === 0 ? "" : `The totals of encodings count the ${format.counted(totals.count, "column")} ` +
      "that every encoding can store; figures that they do not count are pale.",
    view.segments.length < 2 ? "" : "Distinct values are those of the segment that has most."
  ].join(" "));
}

function textOf(field, value, missing = MISSING) {
  return value === null || value === "" ? missing : field.text(value);
}

function nameCell(cell) {
  const th = d3.select(this);
  th.selectAll("bdi").data([cell.text]).join("bdi").text(text => text);
  th.selectAll("span.problem").data(cell.column.problems).join("span").attr("class", "problem")
    .text(problem => `cannot be read: ${problem}`);
  th.selectAll("span.uncounted").data(cell.column.notCounted).join("span").attr("class", "uncounted")
    .text(reason => `not counted: ${reason}`);
}
