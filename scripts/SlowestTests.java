// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Prints the ten test classes that took the most time in the last build, from the reports of Surefire and Failsafe in
 * all modules. {@code mvn verify} runs it at its end; by hand: {@code java scripts/SlowestTests.java}.
 */
final class SlowestTests {
  private static final int MOST = 10;

  private record TestClass(String name, String run, double seconds, int tests) {}

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args.length > 0 ? args[0] : ".");
    List<TestClass> classes = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.toList()) {
        for (String run : List.of("surefire-reports", "failsafe-reports")) {
          File[] reports = module.resolve("target").resolve(run).toFile()
              .listFiles((directory, name) -> name.startsWith("TEST-") && name.endsWith(".xml"));
          for (File report : reports == null ? new File[0] : reports) {
            classes.add(read(report));
          }
        }
      }
    }
    if (classes.isEmpty()) {
      return;
    }
    double seconds = classes.stream().mapToDouble(TestClass::seconds).sum();
    System.out.printf("%d test classes ran for %.0f seconds in sum. The slowest:%n", classes.size(), seconds);
    classes.stream()
        .sorted(Comparator.comparingDouble(TestClass::seconds).reversed())
        .limit(MOST)
        .forEach(c -> System.out.printf("%7.1f s  %6d tests  %s  %s%n", c.seconds, c.tests, c.name, c.run));
  }

  private static TestClass read(File report) throws IOException, ParserConfigurationException, SAXException {
    Element suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report).getDocumentElement();
    return new TestClass(
        suite.getAttribute("name"),
        report.getParentFile().getParentFile().getParentFile().getName(),
        Double.parseDouble(suite.getAttribute("time").replace(",", "")),
        Integer.parseInt(suite.getAttribute("tests"))
    );
  }
}
