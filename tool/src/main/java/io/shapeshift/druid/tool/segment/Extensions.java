// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Throwables;
import com.google.common.collect.Streams;
import com.google.inject.CreationException;
import io.shapeshift.druid.api.Encoding;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.select.AddedForms;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.initialization.DruidModule;

/** Extensions of Druid that the tool loads, each in a class loader of its own as Druid does. */
public final class Extensions {
  private static final String OURS = "druid-shapeshift";
  /** File in a jar that lists the extensions whose classes it needs. */
  private static final String DEPENDENCIES = "druid-extension-dependencies.json";
  private static final String WHAT = "--extension names a jar, or the folder of an extension's jars";

  private Extensions() {}

  /**
   * Loads extensions and lets them register their encodings and types.
   *
   * @param paths    jars, or folders of an extension's jars
   * @param messages gets the names of the encodings, and warnings
   * @throws ToolException if one has no jar or no module, a module needs more of Druid than the tool has, or an
   *     encoding cannot be registered
   */
  public static void load(List<Path> paths, Consumer<String> messages) throws ToolException {
    final Map<Path, List<DruidModule>> modules = new LinkedHashMap<>();
    for (Path path : paths) {
      modules.put(path, modules(path));
    }
    try {
      Druid.extend(modules.values().stream().flatMap(List::stream).toList());
    } catch (RuntimeException | LinkageError e) {
      throw Throwables.getCausalChain(e).stream()
          .filter(EncodingException.class::isInstance)
          .findFirst()
          .map(fault -> new ToolException("the extensions " + paths, String.valueOf(fault.getMessage()), "", e))
          .orElseGet(() -> new ToolException(
              "the extensions " + paths, "they cannot be used: " + inOneLine(e),
              "They may need more of Druid than the tool has", e));
    }
    final Map<String, Encoding> encodings = AddedForms.installed();
    messages.accept("Encodings of other jars: " + new TreeSet<>(encodings.keySet()));
    modules.forEach((path, all) -> {
      final ClassLoader loader = all.get(0).getClass().getClassLoader();
      if (encodings.values().stream().anyMatch(each -> each.getClass().getClassLoader() == loader)) {
        warnWithoutDependencies(path, (URLClassLoader) loader, messages);
      }
    });
  }

  /** First error of an injector, without the list of all. */
  private static String inOneLine(Throwable e) {
    final String message = e instanceof CreationException creation
                           ? creation.getErrorMessages().iterator().next().getMessage()
                           : String.valueOf(e.getMessage());
    return message.lines().findFirst().orElse("");
  }

  /** Warns if a Druid service would not let the extension see this extension's classes. The tool always does. */
  private static void warnWithoutDependencies(Path path, URLClassLoader loader, Consumer<String> messages) {
    @Nullable final URL file = loader.findResource(DEPENDENCIES);
    final JsonNode found;
    try (InputStream in = file == null ? InputStream.nullInputStream() : file.openStream()) {
      found = Druid.json().readTree(in).path("dependsOnDruidExtensions");
    } catch (IOException e) {
      messages.accept("warning: " + path + ": its " + DEPENDENCIES + " cannot be read: " + e.getMessage());
      return;
    }
    if (Streams.stream(found).noneMatch(each -> each.asText().equals(OURS))) {
      messages.accept("warning: " + path + " has no " + DEPENDENCIES
          + " with {\"dependsOnDruidExtensions\": [\"" + OURS + "\"]}, so a Druid service cannot load it");
    }
  }

  private static List<DruidModule> modules(Path path) throws ToolException {
    final URL[] jars = jars(path);
    if (jars.length == 0) {
      throw new ToolException(path.toString(), "there is no jar", WHAT);
    }
    // Stays open: classes are loaded until the process ends.
    final ClassLoader loader = new URLClassLoader(jars, Extensions.class.getClassLoader());
    final List<DruidModule> modules = new ArrayList<>();
    try {
      for (DruidModule module : ServiceLoader.load(DruidModule.class, loader)) {
        // The loader also finds the modules of Druid and of this extension.
        if (module.getClass().getClassLoader() == loader) {
          modules.add(module);
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new ToolException(path.toString(), "its modules cannot be loaded: " + e.getMessage(), WHAT, e);
    }
    if (modules.isEmpty()) {
      throw new ToolException(
          path.toString(),
          "it is no extension of Druid, as no jar has a file META-INF/services/" + DruidModule.class.getName(),
          WHAT
      );
    }
    return modules;
  }

  private static URL[] jars(Path path) throws ToolException {
    if (!Files.isDirectory(path)) {
      return Files.exists(path) ? new URL[]{url(path)} : new URL[0];
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().map(Extensions::url).toArray(URL[]::new);
    } catch (IOException e) {
      throw new ToolException(path.toString(), "it cannot be listed: " + e.getMessage(), WHAT, e);
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
