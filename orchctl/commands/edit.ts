import { ApiError, type ApiObject } from 'orch/sdk'
import type { WriteOptions } from 'orch/sdk/client'
import { fieldManagerFlag, fieldValidationOf, fileFlags, printFlags, validateFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { explainFailure } from '../explain-failure.js'
import { EditedFile, editorFlags, withoutComments } from '../objects/edit-text.js'
import { forEach } from '../objects/for-each.js'
import { saveConfigFlag, withLastApplied } from '../objects/last-applied.js'
import { mergePatch, replacesList } from '../objects/merge-patch.js'
import { type Selected, selectObjects } from '../objects/select-objects.js'
import { readObject, subresourceFlag } from '../objects/subresource.js'
import { withoutManagedFields } from '../output/print-objects.js'
import { writtenPrinter } from '../output/written.js'
import { parseYamlDocuments, yamlText } from '../output/yaml-text.js'
import { UsageError } from '../usage-error.js'

export const edit: Command = {
  name: 'edit',
  summary: 'Change objects in your editor ($VISUAL, $EDITOR, or vi).',
  usage: '(TYPE NAME... | TYPE/NAME... | -f FILE) [flags]',
  examples: [
    ['Open, change, save, quit', 'edit configmap settings'],
    ['With another editor', 'edit configmap/settings --editor="code --wait"'],
    ['A subresource', 'edit deployment/web --subresource=status'],
  ],
  flags: [
    ...editorFlags,
    subresourceFlag('edit this subresource: status'),
    { name: 'output-patch', kind: 'switch', description: 'print the patch that was sent' },
    saveConfigFlag,
    ...fileFlags,
    fieldManagerFlag,
    validateFlag,
    ...printFlags,
  ],
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const { profile, lastAppliedAnnotation } = await session.vendor()
    const settings: Settings = {
      fieldManager: flags.text('field-manager') ?? `${profile.cli}-edit`,
      fieldValidation: fieldValidationOf(flags),
      subresource: flags.text('subresource'),
      ...(flags.is('save-config') ? { lastAppliedAnnotation } : {}),
    }
    return forEach(await selectObjects(call, session), terminal, async one => {
      const shown = await readObject(session, one, settings.subresource)
      const before = flags.is('show-managed-fields') ? shown : withoutManagedFields(shown)
      return editOne(call, one, before, settings)
    })
  },
}

interface Settings extends WriteOptions {
  readonly subresource: string | undefined
  /** Set if the edited configuration is kept there. */
  readonly lastAppliedAnnotation?: string
}

async function editOne(call: Call, one: Selected, before: ApiObject, settings: Settings): Promise<void> {
  const { terminal, flags } = call
  const file = new EditedFile(call, `${one.name}.yaml`)
  const print = writtenPrinter(call)
  try {
    let problem = ''
    let text = yamlText(before)
    for (;;) {
      const shown = `${heading(one, problem)}${text}`
      const edited = await file.edit(shown)
      if (edited === shown || withoutComments(edited).trim() === '') {
        if (problem === '') return terminal.log(`${one.label} was not changed`)
        file.keep()
        throw new UsageError(`${one.label} was not changed; your changes are in ${file.path}`)
      }
      text = withoutComments(edited)
      const outcome = await save(one, before, text, settings).catch(error => {
        // Editing again cannot fix this error, but the edited text must not be lost.
        file.keep()
        terminal.log(`Your changes are in ${file.path}.`)
        throw error
      })
      if ('object' in outcome) {
        if (outcome.patch === undefined) return print(one, 'was not changed', outcome.object)
        if (flags.is('output-patch')) terminal.write(`Patch: ${JSON.stringify(outcome.patch)}\n`)
        return print(one, 'edited', outcome.object)
      }
      problem = outcome.problem
    }
  } finally {
    file.close()
  }
}

/** Sends the changes. Returns an error that editing again can fix; throws any other. */
async function save(
  { collection, name }: Selected,
  before: ApiObject,
  text: string,
  { lastAppliedAnnotation, ...options }: Settings,
): Promise<{ object: ApiObject; patch?: unknown } | { problem: string }> {
  try {
    const [edited] = parseYamlDocuments(text, 'the edited object')
    // Any other value would compare as an object without fields, which would remove all of them.
    if (typeof edited !== 'object' || Array.isArray(edited)) throw new UsageError('the edited text is not an object')
    const after = lastAppliedAnnotation ? withLastApplied(edited as ApiObject, lastAppliedAnnotation) : edited
    const patch = mergePatch(before, after)
    if (patch === undefined) return { object: before }
    // Lists are sent as a whole; the resource version ensures that concurrent changes to them are not lost.
    const { resourceVersion } = before.metadata
    if (replacesList(patch)) patch['metadata'] = { ...(patch['metadata'] as object | undefined), resourceVersion }
    return { object: await collection.patch(name, patch, { type: 'merge', ...options }), patch }
  } catch (error) {
    const isFixable = error instanceof UsageError || (error instanceof ApiError && [400, 409, 422].includes(error.code))
    if (!isFixable) throw error
    return { problem: explainFailure(error).lines.join('\n') }
  }
}

const heading = ({ label }: Selected, problem: string) =>
  [
    `Edit ${label}. Lines that begin with # are ignored; an empty file changes nothing.`,
    ...(problem === ''
      ? []
      : ['', 'The object was rejected. Fix it, or leave it unchanged to cancel:', ...problem.split('\n')]),
  ]
    .map(line => `# ${line}\n`)
    .join('')
