// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import picocli.CommandLine.IVersionProvider;

/** The release, from the jar: what {@code --version} prints, of every command. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    final String version = Version.class.getPackage().getImplementationVersion();
    return new String[]{"druid-shapeshift " + (version == null ? "(development)" : version)};
  }
}
