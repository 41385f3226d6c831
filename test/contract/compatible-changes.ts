/**
 * Changes since the last release that the comparison takes for breaking and that break no plugin, with the reason. Emptied when a
 * release is recorded.
 */
export const compatibleChanges: Readonly<Record<string, string>> = {
  'orch/sdk/host PluginDefinition': '`sdk` accepts more than before: a range for each entry point',
  'orch/sdk/host sdkVersion': 'the type was the one version itself, and is string',
  'orch/sdk/validation validateLabelSelector': 'a further parameter, which may be left out',
}
