import type { FlagDefinition, Flags } from './flags.js'

/** Options that several commands share. */
export const outputFlag = (formats: string): FlagDefinition => ({
  name: 'output',
  short: 'o',
  kind: 'text',
  value: 'FORMAT',
  description: `one of ${formats}`,
  choices: formats.split(', '),
})
export const objectFormats = 'yaml, json, name, jsonpath=TEMPLATE, custom-columns=SPEC, go-template=TEMPLATE'
export const showManagedFieldsFlag: FlagDefinition = {
  name: 'show-managed-fields',
  kind: 'switch',
  description: 'keep metadata.managedFields in yaml and json',
}
export const templateFlags: readonly FlagDefinition[] = [
  {
    name: 'template',
    kind: 'text',
    value: 'TEMPLATE',
    description:
      'the template of -o go-template and -o jsonpath, or its file for -o go-template-file; alone, a Go template',
  },
  {
    name: 'allow-missing-template-keys',
    kind: 'switch',
    description: 'print nothing for fields that are missing (the default); with =false they are an error',
  },
]
/** How objects that were written or read are printed. */
export const printFlags: readonly FlagDefinition[] = [
  outputFlag(objectFormats),
  ...templateFlags,
  showManagedFieldsFlag,
]
export const fileFlags: readonly FlagDefinition[] = [
  {
    name: 'filename',
    short: 'f',
    kind: 'list',
    value: 'FILE',
    description: 'file or folder of YAML or JSON documents, or - for standard input',
  },
  {
    name: 'kustomize',
    short: 'k',
    kind: 'text',
    value: 'FOLDER',
    description: 'a folder with a kustomization.yaml, instead of files',
  },
  { name: 'recursive', short: 'R', kind: 'switch', description: 'include subfolders' },
]
export const labelSelectorFlag: FlagDefinition = {
  name: 'selector',
  short: 'l',
  kind: 'text',
  value: 'SELECTOR',
  description: 'only objects with these labels: app=web,tier!=cache',
}
export const fieldSelectorFlag: FlagDefinition = {
  name: 'field-selector',
  kind: 'text',
  value: 'SELECTOR',
  description: 'only objects with these fields: metadata.name=a',
}
export const chunkSizeFlag: FlagDefinition = {
  name: 'chunk-size',
  kind: 'text',
  value: 'N',
  description: 'objects per request (500; 0 for all at once)',
}
export const allNamespacesFlag: FlagDefinition = {
  name: 'all-namespaces',
  short: 'A',
  kind: 'switch',
  description: 'in all namespaces',
}
export const allFlag: FlagDefinition = { name: 'all', kind: 'switch', description: 'every object of the type' }
export const dryRunFlag: FlagDefinition = {
  name: 'dry-run',
  kind: 'switch',
  description: 'let the server process the request without storing anything; --dry-run=client does not send it at all',
  switchValues: { server: true, client: true, none: false },
}
/** Where the dry run happens: on the server, in this client only, or nowhere because the change is made. */
export function dryRunOf(flags: Flags): 'server' | 'client' | 'none' {
  if (!flags.is('dry-run')) return 'none'
  return flags.text('dry-run') === 'client' ? 'client' : 'server'
}
/** The suffix of messages about a dry run. */
export const dryRunNote = (flags: Flags): string =>
  ({ server: ' (server dry run)', client: ' (dry run)', none: '' })[dryRunOf(flags)]

export const fieldManagerFlag: FlagDefinition = {
  name: 'field-manager',
  kind: 'text',
  value: 'NAME',
  description: 'field manager of the fields that are set',
}

export const validateFlag: FlagDefinition = {
  name: 'validate',
  kind: 'switch',
  description: 'what to do about unknown and repeated fields: strict (the default) refuses them, warn, or ignore',
  switchValues: { strict: true, warn: true, ignore: false },
}
/** The field validation to request from the server. */
export function fieldValidationOf(flags: Flags): 'Strict' | 'Warn' | 'Ignore' {
  if (!flags.is('validate', true)) return 'Ignore'
  return flags.text('validate') === 'warn' ? 'Warn' : 'Strict'
}

const cascades = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const
/** `when` prefixes the description with the flag that this one depends on: `with --force: `. */
export const cascadeFlag = (when = ''): FlagDefinition => ({
  name: 'cascade',
  kind: 'text',
  value: 'HOW',
  description: `${when}how dependents are deleted: background (the default), foreground, orphan`,
  choices: Object.keys(cascades),
})
/** The propagation policy that `--cascade` requests. */
export const propagationOf = (flags: Flags) =>
  cascades[flags.choice('cascade', ['background', 'foreground', 'orphan'] as const) ?? 'background']
