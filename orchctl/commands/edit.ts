import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type ApiObject } from 'orch/sdk'
import type { WriteOptions } from 'orch/sdk/client'
import { fieldManagerFlag, fieldValidationOf, fileFlags, validateFlag } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { explainFailure } from '../explain-failure.js'
import { forEach } from '../objects/for-each.js'
import { mergePatch, replacesList } from '../objects/merge-patch.js'
import { type Selected, selectObjects } from '../objects/select-objects.js'
import { parseYamlDocuments, yamlText } from '../output/yaml-text.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

const defaultEditor = 'vi'

export const edit: Command = {
  name: 'edit',
  summary: 'Change objects in your editor ($VISUAL, $EDITOR, or vi).',
  usage: '(TYPE NAME... | TYPE/NAME... | -f FILE) [flags]',
  examples: [
    ['Open, change, save, quit', 'edit configmap settings'],
    ['With another editor', 'edit configmap/settings --editor="code --wait"'],
  ],
  flags: [
    { name: 'editor', kind: 'text', value: 'COMMAND', description: 'the editor to use' },
    ...fileFlags,
    fieldManagerFlag,
    validateFlag,
  ],
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const { VISUAL, EDITOR } = terminal.environment
    const editor = flags.text('editor') || VISUAL || EDITOR || defaultEditor
    const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-edit`
    const options = { fieldManager, fieldValidation: fieldValidationOf(flags) }
    return forEach(await selectObjects(call, session), terminal, one => editOne(one, editor, options, terminal))
  },
}

async function editOne(one: Selected, editor: string, options: WriteOptions, terminal: Terminal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-edit-'))
  const file = join(folder, `${one.name}.yaml`)
  let keepsFile = false
  try {
    const before = withoutManagedFields(await one.collection.get(one.name))
    let problem = ''
    let text = yamlText(before)
    for (;;) {
      const shown = `${heading(one, problem)}${text}`
      writeFileSync(file, shown, { mode: 0o600 })
      await openEditor(editor, file)
      const edited = readFileSync(file, 'utf8')
      if (edited === shown || withoutComments(edited).trim() === '') {
        if (problem === '') return terminal.log(`${one.label} was not changed`)
        keepsFile = true
        throw new UsageError(`${one.label} was not changed; your changes are in ${file}`)
      }
      text = withoutComments(edited)
      const outcome = await save(one, before, text, options).catch(error => {
        // Editing again cannot fix this error, but the edited text must not be lost.
        keepsFile = true
        terminal.log(`Your changes are in ${file}.`)
        throw error
      })
      if (outcome.problem === undefined) return terminal.write(`${one.label} ${outcome.done}\n`)
      problem = outcome.problem
    }
  } finally {
    if (!keepsFile) rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends the changes. Returns an error that editing again can fix; throws any other. */
async function save(
  { collection, name }: Selected,
  before: ApiObject,
  text: string,
  options: WriteOptions,
): Promise<{ done?: string; problem?: string }> {
  try {
    const [after] = parseYamlDocuments(text, 'the edited object')
    // Any other value would compare as an object without fields, which would remove all of them.
    if (typeof after !== 'object' || Array.isArray(after)) throw new UsageError('the edited text is not an object')
    const patch = mergePatch(before, after)
    if (patch === undefined) return { done: 'was not changed' }
    // Lists are sent as a whole; the resource version ensures that concurrent changes to them are not lost.
    const { resourceVersion } = before.metadata
    if (replacesList(patch)) patch['metadata'] = { ...(patch['metadata'] as object | undefined), resourceVersion }
    await collection.patch(name, patch, { type: 'merge', ...options })
    return { done: 'edited' }
  } catch (error) {
    const canMend = error instanceof UsageError || (error instanceof ApiError && [400, 409, 422].includes(error.code))
    if (!canMend) throw error
    return { problem: explainFailure(error).lines.join('\n') }
  }
}

function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
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
/** Removes comment lines at the start only: a # further down may be part of a value. */
const withoutComments = (text: string) => text.replace(/^(#.*\n)+/, '')

function openEditor(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Through the shell, because $EDITOR may contain arguments.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', code =>
      code === 0
        ? resolve()
        : reject(new UsageError(`the editor "${editor}" failed (${code}); set $EDITOR or --editor`)),
    )
  })
}
