import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlagDefinition } from '../arguments/flags.js'
import type { Call } from '../command.js'
import { UsageError } from '../usage-error.js'

const defaultEditor = 'vi'

export const editorFlags: readonly FlagDefinition[] = [
  { name: 'editor', kind: 'text', value: 'COMMAND', description: 'the editor to use' },
  {
    name: 'windows-line-endings',
    kind: 'switch',
    description: 'use Windows line endings in the editor (the default on Windows)',
  },
]

/** A temporary file that the user edits. */
export class EditedFile {
  readonly path: string
  readonly #folder: string
  readonly #editor: string
  readonly #windowsLines: boolean
  #isKept = false
  constructor({ flags, terminal }: Pick<Call, 'flags' | 'terminal'>, name: string) {
    const { VISUAL, EDITOR } = terminal.environment
    this.#editor = flags.text('editor') || VISUAL || EDITOR || defaultEditor
    this.#windowsLines = flags.is('windows-line-endings', process.platform === 'win32')
    this.#folder = mkdtempSync(join(tmpdir(), 'orchctl-edit-'))
    this.path = join(this.#folder, name)
  }
  /** Opens the text in the editor and returns it as it was saved. */
  async edit(text: string): Promise<string> {
    writeFileSync(this.path, this.#windowsLines ? text.replaceAll('\n', '\r\n') : text, { mode: 0o600 })
    await openEditor(this.#editor, this.path)
    return readFileSync(this.path, 'utf8').replaceAll('\r\n', '\n')
  }
  /** Keeps the file after `close`, so that edits are not lost. */
  keep(): void {
    this.#isKept = true
  }
  close(): void {
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Removes comment lines at the start only: a # further down may be part of a value. */
export const withoutComments = (text: string) => text.replace(/^(#.*\n)+/, '')

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
