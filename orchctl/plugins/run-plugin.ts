import { spawn } from 'node:child_process'
import type { Terminal } from '../terminal.js'

/** Runs a plugin in place of this program and returns its exit code. */
export function runPlugin(path: string, args: readonly string[], { environment }: Terminal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [...args], { stdio: 'inherit', env: { ...environment } })
    child.on('error', reject)
    child.on('close', code => resolve(code ?? 1))
  })
}
