import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type ApiObject } from 'orch/sdk'
import { fieldManagerFlag, fileFlags } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { explainFailure } from '../explain-failure.js'
import { forEach } from '../objects/for-each.js'
import { mergePatch, replacesList } from '../objects/merge-patch.js'
import { type Selected, selectObjects } from '../objects/select-objects.js'
import { parseYamlDocuments, yamlText } from '../output/yaml-text.js'
import { UsageError } from '../usage-error.js'
import type { Terminal } from '../world.js'

const usualEditor = 'vi'

export const edit: Command = {
  name: 'edit',
  summary: 'Change objects in your editor ($VISUAL, $EDITOR, or vi).',
  usage: '(TYPE NAME... | TYPE/NAME... | -f FILE) [flags]',
  examples: [
    ['Open, change, save, quit', 'edit configmap settings'],
    ['With another editor', 'edit configmap/settings --editor="code --wait"'],
  ],
  flags: [
    { name: 'editor', kind: 'text', value: 'COMMAND', means: 'the editor to use' },
    ...fileFlags,
    fieldManagerFlag,
  ],
  async run(call) {
    const { flags, world } = call
    const session = await call.session()
    const { VISUAL, EDITOR } = world.environment
    const editor = flags.text('editor') || VISUAL || EDITOR || usualEditor
    const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-edit`
    return forEach(await selectObjects(call, session), world, one => editOne(one, editor, fieldManager, world))
  },
}

async function editOne(one: Selected, editor: string, fieldManager: string, world: Terminal): Promise<void> {
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
        if (problem === '') return world.tell(`${one.label} was not changed`)
        keepsFile = true
        throw new UsageError(`${one.label} was not changed; what you wrote is in ${file}`)
      }
      text = withoutComments(edited)
      const outcome = await save(one, before, text, fieldManager).catch(error => {
        // Another edit cannot mend it, but the work of the person must not be lost.
        keepsFile = true
        world.tell(`What you wrote is in ${file}.`)
        throw error
      })
      if (outcome.problem === undefined) return world.write(`${one.label} ${outcome.done}\n`)
      problem = outcome.problem
    }
  } finally {
    if (!keepsFile) rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends what changed. A refusal that another edit can mend is returned, anything else thrown. */
async function save(
  { collection, name }: Selected,
  before: ApiObject,
  text: string,
  fieldManager: string,
): Promise<{ done?: string; problem?: string }> {
  try {
    const [after] = parseYamlDocuments(text, 'the edited object')
    // Anything else compares as an object without fields: all of them would be removed.
    if (typeof after !== 'object' || Array.isArray(after)) throw new UsageError('the edited text is not an object')
    const patch = mergePatch(before, after)
    if (patch === undefined) return { done: 'was not changed' }
    // Lists are sent whole; only the version seen makes sure that nobody else's change to them is lost.
    const { resourceVersion } = before.metadata
    if (replacesList(patch)) patch['metadata'] = { ...(patch['metadata'] as object | undefined), resourceVersion }
    await collection.patch(name, patch, { type: 'merge', fieldManager })
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
      : ['', 'It was refused. Mend it, or leave it as it is to give up:', ...problem.split('\n')]),
  ]
    .map(line => `# ${line}\n`)
    .join('')
/** Only whole lines at the start: a # further down may belong to a value. */
const withoutComments = (text: string) => text.replace(/^(#.*\n)+/, '')

function openEditor(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Through the shell, since people put arguments into $EDITOR.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', code =>
      code === 0
        ? resolve()
        : reject(new UsageError(`the editor "${editor}" failed (${code}); set $EDITOR or --editor`)),
    )
  })
}
