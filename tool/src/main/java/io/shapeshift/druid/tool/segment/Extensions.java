// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.druid.initialization.DruidModule;

/** Extensions of Druid that the tool loads, each in a class loader of its own as Druid does. */
public final class Extensions {
  private static final String WHAT = "--extension names a jar, or the folder of an extension's jars";

  private Extensions() {}

  /**
   * Loads extensions and lets them register their encodings and types.
   *
   * @param paths jars, or folders of an extension's jars
   * @throws ToolException if one has no jar or no module, or a module needs more of Druid than the tool has
   */
  public static void load(List<Path> paths) throws ToolException {
    final List<DruidModule> modules = new ArrayList<>();
    for (Path path : paths) {
      modules.addAll(modules(path));
    }
    try {
      Druid.extend(modules);
    } catch (RuntimeException | LinkageError e) {
      throw new ToolException(
          "the extensions " + paths, "they cannot be used: " + e.getMessage(),
          "They may need more of Druid than the tool has", e);
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
