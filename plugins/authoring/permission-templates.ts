import type { PluginNames } from './plugin-names.js'

/** The manifest of a plugin: what it may do beside what it registers. */
export const permissionLines = (
  permissions = '{}',
) => `  // What it may do beside what it registers: \`resources\` that its code outside of loops reads or writes (Secrets are among them), \`network\`,
  // \`files\`, \`environment\`, \`childProcesses\`, \`services\`. In a process of its own it can do nothing else.
  permissions: ${permissions},
`

/** The rule by which a loop in a process of its own follows collections; in the server it has their caches. */
export const followRule = ({ isIsolated }: PluginNames, group: string, resources: readonly string[]): string =>
  isIsolated
    ? `
    { verbs: ['list', 'watch'], apiGroups: [${group}], resources: [${resources.map(each => `'${each}'`).join(', ')}] },`
    : ''
