import { signal } from '@preact/signals'
import { ContainerStream } from './container-stream.js'
import { objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'

export interface Piece {
  readonly of: 'input' | 'output' | 'error' | 'note'
  readonly text: string
}
/** More would slow the tab down; the command line shows all. */
const keptCharacters = 200_000
const keptPieces = 2_000
const pieceCharacters = 4_000
/** Escape sequences and other control characters, which this terminal does not support. */
const controls = /\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Input and output of the containers of a Pod. */
export class ContainerTerminal {
  readonly pieces = signal<readonly Piece[]>([])
  readonly isRunning = signal(false)
  readonly failure = signal<unknown>(undefined)
  readonly #base: string
  #stream: ContainerStream | undefined

  constructor(type: ResourceType, namespace: string, name: string) {
    this.#base = objectPath(type, namespace, name)
  }

  /** Runs a line in the shell of the container. */
  run(container: string, line: string): void {
    this.#add('input', `$ ${line}\n`)
    this.#open('exec', container, ['sh', '-c', line])
  }
  /** Attaches to the main process of the container. */
  attach(container: string): void {
    this.#add('note', `Attached to ${container}.\n`)
    this.#open('attach', container, [])
  }
  /** Sends a line to the running process. */
  type(line: string): void {
    this.#add('input', `${line}\n`)
    this.#stream?.send(`${line}\n`)
  }
  endInput(): void {
    this.#stream?.endInput()
  }
  stop(): void {
    if (!this.isRunning.value) return
    this.#stream?.stop()
    this.#add('note', 'Disconnected.\n')
  }
  clear(): void {
    this.pieces.value = []
  }

  #open(subresource: 'exec' | 'attach', container: string, command: readonly string[]): void {
    const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', stderr: 'true' })
    for (const word of command) query.append('command', word)
    this.failure.value = undefined
    this.isRunning.value = true
    this.#stream = new ContainerStream(`${this.#base}/${subresource}?${query}`, {
      output: (text, isError) => this.#add(isError ? 'error' : 'output', text.replace(controls, '')),
      ended: how => {
        this.isRunning.value = false
        if ('failure' in how) this.failure.value = how.failure
        else if (how.exitCode !== 0) this.#add('note', `The command ended with exit code ${how.exitCode}.\n`)
      },
    })
  }

  /** Joins short pieces: each is an element of the page, and a process may write a character at a time. */
  #add(of: Piece['of'], text: string): void {
    const pieces = [...this.pieces.value]
    const last = pieces.at(-1)
    const startsLine = of === 'output' || of === 'error' || last === undefined || last.text.endsWith('\n')
    const joined = last?.of === of && last.text.length < pieceCharacters ? (pieces.pop()?.text ?? '') : ''
    pieces.push({ of, text: `${joined}${startsLine ? '' : '\n'}${text}`.slice(-keptCharacters) })
    let length = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
    while (length > keptCharacters || pieces.length > keptPieces) length -= pieces.shift()?.text.length ?? 0
    this.pieces.value = pieces
  }
}
