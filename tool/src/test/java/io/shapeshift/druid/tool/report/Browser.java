// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.commons.io.FileUtils;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** Chromium without a window, in which tests read a page. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  /** Kept, as its level would else be forgotten: it warns of every browser that is newer than the driver. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private static final String CHROMIUM = "chromium";
  private static final String CHROMEDRIVER = "chromedriver";

  private final Path profile;
  private final ChromeDriver driver;
  private String page = "";

  private Browser(Path chromium, Path chromedriver) throws IOException {
    SELENIUM.setLevel(Level.SEVERE);
    profile = Files.createTempDirectory("chromium-profile");
    final ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox", // It is of no use to root, as which tests run in a container.
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + profile,
        "--window-size=1280,1000"
    );
    options.setCapability(
        "goog:loggingPrefs",
        Map.of(LogType.BROWSER, "ALL", LogType.PERFORMANCE, "ALL")
    );
    driver = new ChromeDriver(
        new ChromeDriverService.Builder().usingDriverExecutable(chromedriver.toFile()).build(),
        options
    );
    // What a new browser shows and fetches by itself is none of the tests' business.
    driver.get("about:blank");
    driver.manage().logs().get(LogType.BROWSER);
    driver.manage().logs().get(LogType.PERFORMANCE);
  }

  /** Whether tests that need it are to run: where it is, and in CI, where it must be. */
  static boolean isExpected() {
    return System.getenv("CI") != null || (find(CHROMIUM).isPresent() && find(CHROMEDRIVER).isPresent());
  }

  /** Starts it. */
  static Browser start() {
    try {
      return new Browser(program(CHROMIUM), program(CHROMEDRIVER));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path program(String name) {
    return find(name).orElseGet(() -> fail("there is no " + name + " on the PATH to read the report in"));
  }

  private static Optional<Path> find(String name) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                 .map(directory -> Path.of(directory, name))
                 .filter(Files::isExecutable)
                 .findFirst();
  }

  /** Loads a page. */
  void open(Path file) {
    page = file.toUri().toString();
    driver.get(page);
  }

  /** Asserts that since the last time nothing but the page was asked for, and nothing went wrong in it. */
  void assertQuiet() {
    assertEquals(
        List.of(),
        driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage).toList()
    );
    final List<String> requests = driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(entry -> json(entry.getMessage()).path("message"))
        .filter(message -> message.path("method").asText().equals("Network.requestWillBeSent"))
        .map(message -> message.at("/params/request/url").asText())
        .filter(url -> !url.equals(page))
        .toList();
    assertEquals(List.of(), requests);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The one element that a CSS selector finds. */
  WebElement one(String selector) {
    final List<WebElement> found = driver.findElements(By.cssSelector(selector));
    assertEquals(1, found.size(), selector);
    return found.get(0);
  }

  /** Number of elements that a CSS selector finds. */
  int count(String selector) {
    return Math.toIntExact(run("return document.querySelectorAll(arguments[0]).length", selector));
  }

  /** Texts of all elements that a CSS selector finds. */
  List<String> texts(String selector) {
    return strings("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector);
  }

  /** Runs a script that returns a list of texts. */
  @SuppressWarnings("unchecked")
  List<String> strings(String script, Object... arguments) {
    return (List<String>) driver.executeScript(script, arguments);
  }

  /** Runs a script that returns an integer. */
  long run(String script, Object... arguments) {
    return (Long) driver.executeScript(script, arguments);
  }

  /** What CSS makes of a property of the one element that a selector finds. */
  String css(String selector, String property) {
    return one(selector).getCssValue(property);
  }

  /** Shows the page as that medium, "screen" or "print", under that colour scheme, "light" or "dark". */
  void emulate(String medium, String scheme) {
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of(
        "media", medium,
        "features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))
    ));
  }

  /** Makes the page so wide, in pixels. */
  void width(int pixels) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", pixels, "height", 1000, "deviceScaleFactor", 1, "mobile", false)
    );
  }

  @Override
  public void close() {
    driver.quit();
    FileUtils.deleteQuietly(profile.toFile());
  }
}
