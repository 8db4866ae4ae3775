// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import picocli.CommandLine.IVersionProvider;

/** Release of the tool from its jar, which {@code --version} of every command prints. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    final String version = Version.class.getPackage().getImplementationVersion();
    return new String[]{"druid-shapeshift " + (version == null ? "(development)" : version)};
  }
}
