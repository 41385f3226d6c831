import type { PluginNames } from './plugin-names.js'

/** The manifest of a plugin: its permissions in addition to its contributions. */
export const permissionLines = (
  permissions = '{}',
) => `  // Its permissions in addition to its contributions: \`resources\` that code outside of loops reads or writes (including Secrets), \`network\`,
  // \`files\`, \`environment\`, \`childProcesses\`, \`services\`. In a separate process it can do nothing else.
  permissions: ${permissions},
`

/** The rule that allows a loop in a separate process to watch collections; in the server it uses shared caches. */
export const followRule = ({ isIsolated }: PluginNames, group: string, resources: readonly string[]): string =>
  isIsolated
    ? `
    { verbs: ['list', 'watch'], apiGroups: [${group}], resources: [${resources.map(each => `'${each}'`).join(', ')}] },`
    : ''
