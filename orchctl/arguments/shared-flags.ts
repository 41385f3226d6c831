import type { FlagDefinition, Flags } from './flags.js'

/** Options that several commands share. */
export const outputFlag = (formats: string): FlagDefinition => ({
  name: 'output',
  short: 'o',
  kind: 'text',
  value: 'FORMAT',
  means: `one of ${formats}`,
  choices: formats.split(', '),
})
export const objectFormats = 'yaml, json, name, jsonpath=TEMPLATE, custom-columns=SPEC, go-template=TEMPLATE'
export const showManagedFieldsFlag: FlagDefinition = {
  name: 'show-managed-fields',
  kind: 'switch',
  means: 'keep metadata.managedFields in yaml and json',
}
export const fileFlags: readonly FlagDefinition[] = [
  {
    name: 'filename',
    short: 'f',
    kind: 'list',
    value: 'FILE',
    means: 'file or folder of YAML or JSON documents, or - for standard input',
  },
  {
    name: 'kustomize',
    short: 'k',
    kind: 'text',
    value: 'FOLDER',
    means: 'a folder with a kustomization.yaml, instead of files',
  },
  { name: 'recursive', short: 'R', kind: 'switch', means: 'also the folders below' },
]
export const labelSelectorFlag: FlagDefinition = {
  name: 'selector',
  short: 'l',
  kind: 'text',
  value: 'SELECTOR',
  means: 'only objects with these labels: app=web,tier!=cache',
}
export const fieldSelectorFlag: FlagDefinition = {
  name: 'field-selector',
  kind: 'text',
  value: 'SELECTOR',
  means: 'only objects with these fields: metadata.name=a',
}
export const allNamespacesFlag: FlagDefinition = {
  name: 'all-namespaces',
  short: 'A',
  kind: 'switch',
  means: 'in all namespaces',
}
export const allFlag: FlagDefinition = { name: 'all', kind: 'switch', means: 'every object of the type' }
export const dryRunFlag: FlagDefinition = {
  name: 'dry-run',
  kind: 'switch',
  means: 'let the server check everything, but keep nothing; --dry-run=client sends no change at all',
  words: { server: true, client: true, none: false },
}
/** Who plays the change through: the server, this client alone, or nobody because it is made. */
export function dryRunOf(flags: Flags): 'server' | 'client' | 'none' {
  if (!flags.is('dry-run')) return 'none'
  return flags.text('dry-run') === 'client' ? 'client' : 'server'
}
/** What is added to the line about a change that was only played through. */
export const dryRunNote = (flags: Flags): string =>
  ({ server: ' (server dry run)', client: ' (dry run)', none: '' })[dryRunOf(flags)]

export const fieldManagerFlag: FlagDefinition = {
  name: 'field-manager',
  kind: 'text',
  value: 'NAME',
  means: 'who owns the fields that are set',
}
