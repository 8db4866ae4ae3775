// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Reads the report as people do, in a browser. */
@EnabledIf(
    value = "io.shapeshift.druid.tool.report.Browser#isExpected",
    disabledReason = "there is no chromium or no chromedriver on the PATH"
)
final class ReportBrowserIT {
  private static final String HOSTILE =
      "</script><img src=x onerror=\"window.hostile=1\"><svg onload='hostile=1'>\u2028";
  private static final String NAMES = "#columns tbody th bdi";

  private static Browser browser;

  @TempDir
  Path directory;

  @BeforeAll
  static void start() {
    browser = Browser.start();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void nothingWentWrongAndNothingWasFetched() {
    browser.assertQuiet();
    browser.emulate("", "light");
    browser.width(1280);
  }

  private void open(Analysis analysis) {
    final Path page = directory.resolve("report.html");
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(page)) {
      ReportWriter.write(analysis, "A report", temporary, page, true);
    }
    browser.open(page);
  }

  private static Analysis mixed() {
    return TestAnalysis.of(TestAnalysis.segment(
        "/segments/one",
        TestAnalysis.column("b10", 9, true),
        TestAnalysis.column("a", 102, true),
        TestAnalysis.column("B9", 8, true),
        TestAnalysis.numbers("numbers"),
        TestAnalysis.opaque("sketch", null),
        TestAnalysis.opaque("damaged", "the ids end too soon")
    ));
  }

  private static WebElement header(String key) {
    return browser.one("#columns tr.fields th[data-key='" + key + "']");
  }

  private static WebElement button(String key) {
    return header(key).findElement(By.tagName("button"));
  }

  private static void show(String group) {
    browser.one("#groups").findElement(By.xpath(".//label[contains(., '" + group + "')]/input")).click();
  }

  private static void choose(String list, String value) {
    browser.one(list + " option[value='" + value + "']").click();
  }

  // ---- the table

  @Test
  void tableIsSortedByMouse() {
    open(mixed());
    assertEquals("descending", header("values").getDomAttribute("aria-sort"));
    assertEquals(List.of("a", "b10", "B9", "numbers", "sketch", "damaged"), browser.texts(NAMES));

    button("values").click();
    assertEquals("ascending", header("values").getDomAttribute("aria-sort"));
    assertEquals(List.of("sketch", "damaged", "numbers", "B9", "b10", "a"), browser.texts(NAMES));

    button("name").click();
    assertEquals(null, header("values").getDomAttribute("aria-sort"));
    assertEquals("ascending", header("name").getDomAttribute("aria-sort"));
    assertEquals(List.of("a", "B9", "b10", "damaged", "numbers", "sketch"), browser.texts(NAMES));
    assertEquals(1, browser.count("#columns [aria-sort]"));
  }

  @Test
  void tableIsSortedByKeyboardAndKeepsTheFocus() {
    open(mixed());
    final WebElement cardinality = button("cardinality");
    cardinality.sendKeys(Keys.ENTER);
    assertEquals("ascending", header("cardinality").getDomAttribute("aria-sort"));
    // As numbers: 63, 70, 721. What is not known comes last, either way.
    assertEquals(List.of("B9", "b10", "a"), browser.texts(NAMES).subList(0, 3));
    cardinality.sendKeys(Keys.SPACE);
    assertEquals("descending", header("cardinality").getDomAttribute("aria-sort"));
    assertEquals(List.of("a", "b10", "B9"), browser.texts(NAMES).subList(0, 3));
    assertEquals(1, browser.run("return document.activeElement === arguments[0] ? 1 : 0", cardinality));
  }

  @Test
  void tableIsFiltered() {
    open(mixed());
    assertEquals("6 columns", browser.one("#count").getText());
    final WebElement filter = browser.one("#filter");
    filter.sendKeys("B");
    assertEquals(List.of("a", "b10", "B9", "numbers"), browser.texts(NAMES), "by name, and by the form bytepack");
    assertEquals("4 of 6 columns", browser.one("#count").getText());
    assertEquals("Total of 4 columns", browser.one("#columns tfoot th").getText());
    filter.sendKeys("10");
    assertEquals(List.of("b10"), browser.texts(NAMES));
    assertEquals("10,030", browser.one("#columns tfoot td.total").getText());
    filter.sendKeys("0");
    assertEquals(List.of(), browser.texts(NAMES));
    filter.clear();
    filter.sendKeys("too soon");
    assertEquals(List.of("damaged"), browser.texts(NAMES));
  }

  @Test
  void tableHasTheFiguresOfTheAnalysis() {
    open(mixed());
    show("Bytes of the row part by encoding");
    show("Speed of reading all rows");
    show("Speed of reading 1 row in 100");
    browser.one("#filter").sendKeys("b10");
    assertEquals(
        List.of(
            "STRING", "39,244", "70",
            "10,030", "10", "10,000", "20", "0", "lz4",
            "10,000", "8,000", "40,000", "6,000", "7,000", "9,000",
            "0.800", "4.000", "0.600", "0.700", "0.900",
            "1.50×", "2.00×", "0.50×", "1.00×", "1.50×",
            "1.50×", "2.00×", "0.50×", "1.00×", "1.50×",
            "bytepack 1, tans 2"
        ),
        browser.texts("#columns tbody td")
    );
    assertEquals(
        browser.texts("#columns tr.fields th").size(),
        browser.texts("#columns tbody th, #columns tbody td").size()
    );
  }

  @Test
  void totalsCountWhatEveryEncodingCanStore() {
    open(mixed());
    assertEquals("130,000", browser.one("#columns tfoot td.values").getText());
    assertEquals(
        List.of("0.800", "4.000", "0.600", "0.700", "0.900"),
        browser.texts("#columns tfoot td[class*='ratio:']")
    );
    assertEquals(
        List.of("1.000", "1.000"),
        browser.texts("#columns tbody td.muted").stream().filter(text -> !text.equals("–")).toList()
    );
    assertEquals(
        "The totals of encodings count the 3 columns that every encoding can store; "
        + "figures that they do not count are pale.",
        browser.one("#table-note").getText()
    );
  }

  @Test
  void problemStandsWithItsColumn() {
    open(mixed());
    assertEquals(List.of("cannot be read: the ids end too soon"), browser.texts("#columns .problem"));
  }

  /** Their sizes are summed; speeds are those of the other columns. */
  @Test
  void objectsAreCounted() {
    open(TestAnalysis.of(TestAnalysis.segment(
        "/segments/one",
        TestAnalysis.column("a", 8, true),
        TestAnalysis.objects("sketch"),
        TestAnalysis.notCounted("last", "its type has a column of its own")
    )));
    assertEquals(List.of("not counted: its type has a column of its own"), browser.texts("#columns .uncounted"));
    assertEquals(List.of("a", "sketch"), browser.texts("#sizes .name"));
    assertEquals(List.of("0.700", "0.333"), browser.texts("#sizes .value"));
    assertEquals(
        List.of("Encoding", "Bytes", "Relative to Druid lz4", "Whole segments", "Speed, all rows",
            "Speed, 1 row in 100", "Bytes as a bar"),
        browser.texts("#encodings th[scope='col']")
    );
    final String note = browser.one("#targets-note").getText();
    assertTrue(note.contains("Druid has objects of complex types uncompressed, as by default. "), note);
  }

  // ---- above the charts

  @Test
  void statementSaysWhatIsCountedAndWhatIsNot() {
    open(mixed());
    assertEquals("0.731", browser.one("#statement .figure").getText());
    assertEquals(
        "With the default target, the whole segment takes 0.731 of what it takes with Druid lz4: 99.6 kB instead of "
        + "136 kB.",
        browser.one("#statement .lead").getText()
    );
    final String more = browser.one("#statement p:last-child").getText();
    assertTrue(more.contains("The rows of the 3 columns that can shape-shift, "), more);
    assertTrue(more.contains(" take 0.700 of what they take with Druid lz4 (85.4 kB instead of 122 kB), "), more);
    assertTrue(
        more.contains(", their indexes 0.400 (24 bytes instead of 60 bytes), their dictionaries 0.500 (15 bytes instead"
            + " of 30 bytes). "),
        more
    );
    assertEquals(List.of("1", "39,244", "6", "136 kB"), browser.texts("#facts dd"));
    assertEquals(
        List.of(
            "rows of the columns compared here: 122 kB, 89.5%",
            "rows of other columns: 8.00 kB, 5.9%",
            "dictionaries: 30 bytes, 0.0%",
            "indexes: 60 bytes, 0.0%",
            "other data of columns: 1.20 kB, 0.9%",
            "descriptors and metadata: 5.00 kB, 3.7%"
        ),
        browser.texts("#anatomy-legend li")
    );
    assertEquals(6, browser.count("#anatomy rect"));
  }

  @Test
  void encodingsAreSummedAsInTheAnalysis() {
    final Analysis analysis = TestAnalysis.of(TestAnalysis.segment("/one", 4), TestAnalysis.segment("/two", 7));
    open(analysis);
    assertEquals(
        analysis.totals().encodings().values().stream().map(total -> String.format("%,d", total.bytes())).toList(),
        browser.texts("#encodings tbody td:nth-child(2)")
    );
    assertEquals(
        List.of("1.000", "0.800", "4.000", "0.600", "0.700", "0.900"),
        browser.texts("#encodings tbody td:nth-child(3)")
    );
    final long before = analysis.totals().encodings().get("druid-lz4").segmentBytes();
    assertEquals(
        analysis.totals().encodings().values().stream()
            .map(total -> String.format("%.3f", (double) total.segmentBytes() / before)).toList(),
        browser.texts("#encodings tbody td:nth-child(4)")
    );
  }

  @Test
  void oneSegmentCanBeChosen() {
    open(TestAnalysis.of(TestAnalysis.segment("/one", 2), TestAnalysis.segment("/two", 3)));
    assertEquals(List.of("column1", "column2", "column0"), browser.texts(NAMES));
    assertEquals(List.of("4,000", "3,000", "2,000"), browser.texts("#columns tbody td.values"));
    assertEquals(List.of("78,488", "39,244", "78,488"), browser.texts("#columns tbody td.rows"));

    choose("#segment", "0");
    assertEquals(List.of("column1", "column0"), browser.texts(NAMES));
    assertEquals(List.of("2,000", "1,000"), browser.texts("#columns tbody td.values"));
    assertEquals("/one, 2015-09-12T00:00:00.000Z/2015-09-13T00:00:00.000Z", browser.one("#scope").getText());
    assertEquals(2 * 4, browser.count("#sizes .bar"));
    assertEquals(List.of("1", "39,244", "2", "8.06 kB"), browser.texts("#facts dd"));

    choose("#segment", "");
    assertEquals(3, browser.count("#columns tbody tr"));
  }

  /** In a segment of an encoding for longs only all other columns are as they are without it. */
  @Test
  void anEncodingOfLongsLeavesTheOthersAsTheyAre() {
    open(TestAnalysis.of(TestAnalysis.segment(
        "/segments/one",
        TestAnalysis.column("word", 1, false),
        TestAnalysis.longs("number")
    )));
    final List<String> rows = browser.texts("#encodings tbody tr");
    assertTrue(rows.stream().anyMatch(row -> row.startsWith("Druid lz43,000")), rows::toString);
    assertTrue(rows.stream().anyMatch(row -> row.startsWith("Druid auto-lz42,500")), rows::toString);
    assertEquals(List.of("word", "number"), browser.texts("#sizes .name"));
  }

  // ---- charts

  @Test
  void chartsShowEachColumn() {
    open(mixed());
    assertEquals(List.of("a", "b10", "B9"), browser.texts("#sizes .name"));
    assertEquals(List.of("0.700", "0.700", "0.700"), browser.texts("#sizes .value"));
    assertEquals(3 * 4, browser.count("#sizes .bar"), "all but the baseline and the uncompressed");
    assertEquals(List.of("a", "b10", "B9"), browser.texts("#forms .name"));
    assertEquals(3 * 2, browser.count("#forms .share"));
    assertEquals(List.of("tans", "bytepack"), browser.texts("#forms-legend li"));
    assertEquals(3 * 4, browser.count("#dots .dot"));
    assertEquals(List.of("smaller and faster"), browser.texts("#dots text.better"));
    assertEquals(
        List.of("Druid zstd", "shapeshift smaller", "shapeshift fastbutsmallish", "shapeshift faster"),
        browser.texts("#dots-legend li")
    );
  }

  @Test
  void barsAreAsLongAsTheFiguresSay() {
    open(mixed());
    final List<String> lengths = browser.strings("""
        const baseline = document.querySelector("#sizes line.baseline").getAttribute("x1");
        return [...document.querySelectorAll("#sizes g.row .bar")].slice(0, 4).map(bar =>
          (bar.getAttribute("width") / (baseline - bar.getAttribute("x"))).toFixed(3));
        """);
    assertEquals(List.of("0.800", "0.600", "0.700", "0.900"), lengths);
    // Forms have 100 and 300 bytes, in 1 and 2 chunks.
    final String shares = """
        return [...document.querySelectorAll("#forms g.row rect")].slice(0, 2).map((rect, _, all) =>
          (rect.getAttribute("width") / d3.sum(all, r => r.getAttribute("width"))).toFixed(3));
        """;
    assertEquals(List.of("0.250", "0.750"), browser.strings(shares));
    choose("#forms-measure", "chunks");
    assertEquals(List.of("0.333", "0.667"), browser.strings(shares));
  }

  /** However many there are, in light and in dark: no two have the same colour, and their names can be read on it. */
  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void formsHaveColoursOfTheirOwn(String scheme) {
    browser.emulate("", scheme);
    final List<String> forms = List.of(
        "bitpack", "linear-bitpack", "decimal-lz4", "lz4", "runend", "delta", "delta-patched", "linear-patched",
        "patched", "raw", "raw-zstd", "wide", "dictionary-bitpack", "constant", "decimal-bitpack"
    );
    open(TestAnalysis.of(TestAnalysis.segment("/one", TestAnalysis.withForms("numbers", forms))));
    final List<String> fills = browser.strings(
        "return [...document.querySelectorAll('#forms .share rect')].map(rect => getComputedStyle(rect).fill)");
    assertEquals(forms.size(), fills.size());
    assertEquals(forms.size(), fills.stream().distinct().count(), fills::toString);
    // As WCAG defines it: of text on the forms, and of the forms on the page.
    final String contrast = """
        const luminance = colour => {
          const linear = v => v / 255 <= 0.04045 ? v / 255 / 12.92 : Math.pow((v / 255 + 0.055) / 1.055, 2.4);
          const {r, g, b} = d3.rgb(colour);
          return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        };
        const contrast = (a, b) => {
          const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
          return (light + 0.05) / (dark + 0.05);
        };
        const style = element => getComputedStyle(element);
        """;
    final long poor = browser.run(contrast + """
        const marks = [...document.querySelectorAll("#forms .share")].filter(mark => mark.querySelector("text"));
        return marks.length === 0 ? -1 : marks.filter(mark => contrast(
          style(mark.querySelector("rect")).fill, style(mark.querySelector("text")).fill) < 4).length;
        """);
    assertEquals(0, poor);
    final long faint = browser.run(contrast + """
        const page = style(document.body).backgroundColor;
        return [...document.querySelectorAll("#forms .share rect")]
          .filter(rect => contrast(style(rect).fill, page) < 1.5).length;
        """);
    assertEquals(0, faint);
  }

  @Test
  void encodingsOfTheChartsCanBeChosen() {
    open(mixed());
    final List<WebElement> choices = browser.one("#encodings-legend").findElements(By.tagName("input"));
    assertEquals(5, choices.size());
    choices.get(1).click();
    assertEquals(3 * 5, browser.count("#sizes .bar"));
    assertEquals(List.of("4.000 →", "4.000 →", "4.000 →"), browser.texts("#sizes .cut"));
    assertEquals(3 * 5, browser.count("#dots .dot"));
    choices.forEach(WebElement::click);
    choices.get(1).click();
    assertEquals(3, browser.count("#sizes .bar"));
    choices.get(1).click();
    assertEquals(0, browser.count("#sizes .bar, #dots .dot"));
  }

  @Test
  void marksTellWhatTheyAre() {
    open(mixed());
    hover("#sizes g.row .bar");
    assertEquals(List.of("a", "Druid zstd: 82,400 bytes, 0.800 of 103,000"), browser.texts("#tip div"));
    hover("#forms .share");
    assertEquals(List.of("a", "bytepack: 25.0% of bytes", "1 chunk, 100 bytes"), browser.texts("#tip div"));
    choose("#speed-read", "select");
    hover("#dots .dot");
    assertEquals(List.of("a", "Druid zstd", "0.800 of the size, 1.33× the speed"), browser.texts("#tip div"));
  }

  private static void hover(String selector) {
    browser.run("""
        const mark = document.querySelector(arguments[0]);
        mark.scrollIntoView({block: "center"});
        const box = mark.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        document.elementFromPoint(x, y).dispatchEvent(
          new PointerEvent("pointermove", {bubbles: true, clientX: x, clientY: y}));
        return 1;
        """, selector);
    assertTrue(browser.one("#tip").isDisplayed());
  }

  @Test
  void chartsOfManyColumnsShowTheLargest() {
    open(TestAnalysis.of(TestAnalysis.segment("/one", 500)));
    assertEquals(500, browser.count("#columns tbody tr"));
    assertEquals(
        IntStream.range(0, 20).mapToObj(i -> "column" + (499 - i)).toList(),
        browser.texts("#sizes .name")
    );
    assertEquals(20 * 4, browser.count("#sizes .bar"));
    assertEquals(100 * 4, browser.count("#dots .dot"));
    assertEquals(
        "The 20 columns whose rows take most with Druid lz4, of the 500 that every encoding can store; "
        + "the table has all.",
        browser.one("#charts-note").getText()
    );
  }

  // ---- what may be missing

  @Test
  void oneColumnIsEnough() {
    open(TestAnalysis.of(TestAnalysis.segment("/one", 1)));
    assertTrue(browser.one("#statement").getText().contains("The rows of the one column that can shape-shift"));
    assertEquals(4, browser.count("#sizes .bar"));
    assertEquals("The one column that every encoding can store.", browser.one("#charts-note").getText());
    assertFalse(browser.one("#choice").isDisplayed());
  }

  @Test
  void speedMayBeMissing() {
    open(TestAnalysis.of(TestAnalysis.segment("/one", TestAnalysis.column("a", 1, false))));
    assertEquals("How fast these columns are read was not measured.", browser.one("#speed-note").getText());
    assertFalse(browser.one("#dots").isDisplayed());
    assertEquals(4, browser.count("#groups input"));
    assertEquals(5, browser.count("#encodings thead th"));
  }

  @Test
  void columnsMayHaveNothingToCompare() {
    open(TestAnalysis.of(TestAnalysis.segment(
        "/one", TestAnalysis.numbers("n"), TestAnalysis.opaque("o", null))));
    assertEquals(
        "No column here can be stored in shape-shifting form: there is nothing to compare.",
        browser.one("#statement").getText()
    );
    assertEquals(List.of("n", "o"), browser.texts(NAMES));
    assertFalse(browser.one("#by-column").isDisplayed());
    assertFalse(browser.one("#speed").isDisplayed());
    assertTrue(browser.one("#whole").isDisplayed());
  }

  @Test
  void analysisMayBeEmpty() {
    open(TestAnalysis.of());
    assertEquals("There is no segment in this analysis.", browser.one("#statement").getText());
    assertFalse(browser.one("#table").isDisplayed());
  }

  // ---- safety and looks

  @Test
  void hostileNamesAreText() {
    open(TestAnalysis.of(
        TestAnalysis.segment(
            HOSTILE,
            TestAnalysis.column(HOSTILE, 3, true),
            TestAnalysis.column("__proto__", 2, true),
            TestAnalysis.column("", 1, true),
            TestAnalysis.opaque("constructor", HOSTILE)
        ),
        TestAnalysis.segment("/two", TestAnalysis.column("__proto__", 2, true))
    ));
    assertEquals(List.of("__proto__", HOSTILE, "(no name)", "constructor"), browser.texts(NAMES));
    assertEquals(List.of("cannot be read: " + HOSTILE), browser.texts("#columns .problem"));
    assertEquals(List.of("all segments together", HOSTILE, "/two"), browser.texts("#segment option"));
    hover("#sizes g.row:nth-of-type(3) .bar");
    assertEquals(HOSTILE, browser.texts("#tip div").get(0));
    assertEquals(0, browser.count("img, svg svg"));
    assertEquals(1, browser.run("return typeof hostile === 'undefined' ? 1 : 0"));
  }

  @Test
  void darkAndPrintedPagesHaveTheirColours() {
    open(mixed());
    browser.emulate("screen", "light");
    assertEquals("rgba(255, 255, 255, 1)", browser.css("body", "background-color"));
    browser.emulate("screen", "dark");
    assertEquals("rgba(20, 23, 27, 1)", browser.css("body", "background-color"));
    assertEquals("rgba(231, 234, 238, 1)", browser.css("body", "color"));
    browser.emulate("print", "dark");
    assertEquals("rgba(255, 255, 255, 1)", browser.css("body", "background-color"));
    assertFalse(browser.one("#filter").isDisplayed());
    assertFalse(browser.one("#speed-read").isDisplayed());
    assertEquals("visible", browser.css(".scroll.tall", "overflow-x"));
  }

  @Test
  void baselineIsGreyEverywhere() {
    open(mixed());
    final List<String> greys = new ArrayList<>();
    for (String scheme : List.of("light", "dark")) {
      browser.emulate("screen", scheme);
      greys.add(browser.css("#sizes line.baseline", "stroke"));
      greys.add(browser.css("#encodings-legend .line i", "background-color").replaceAll("a|, 1(?=\\))", ""));
      greys.add(browser.css("#encodings tbody tr:first-child th i", "background-color").replaceAll("a|, 1(?=\\))", ""));
    }
    assertEquals(List.of("rgb(138, 143, 150)"), greys.stream().distinct().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {360, 800, 1280, 1920})
  void nothingIsCutOff(int width) {
    browser.width(width);
    open(TestAnalysis.of(TestAnalysis.segment(
        "/a/path/" + "that_is_very_long_".repeat(20),
        TestAnalysis.column("a_name_that_is_very_long_".repeat(10), 9, true),
        TestAnalysis.column("ＷＩＤＥ字".repeat(20), 8, true),
        TestAnalysis.opaque("b", "a_reason_that_is_very_long_".repeat(10))
    )));
    assertEquals(0, browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"));
    final List<String> cut = browser.strings("""
        return [...document.querySelectorAll("svg[role] text")].filter(text => {
          const [inner, outer] = [text, text.closest("svg")].map(e => e.getBoundingClientRect());
          return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 ||
            inner.bottom > outer.bottom + 1;
        }).map(text => text.textContent)
        """);
    assertEquals(List.of(), cut);
  }

  @Test
  void tablesCanBeReadAloud() {
    open(mixed());
    assertEquals(0, browser.count("th:not([scope])"));
    assertEquals(browser.count("#columns tr.fields th"), browser.count("#columns tr.fields th > button[type=button]"));
    assertEquals(browser.count("svg[role]"), browser.count("svg[role=img][aria-label]"));
    assertEquals(
        0,
        browser.run("return [...document.querySelectorAll('select, input')].filter(e => !e.closest('label')).length")
    );
  }
}
