import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The compiled binary, as npm installs it. */
export const binaryPath = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'kernel', 'main.js')

/** Runs `orch ...` in a folder to its end. */
export function runBinary(
  workingDir: string,
  ...words: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binaryPath, ...words], {
      cwd: workingDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', text => (out += text))
    child.stderr.setEncoding('utf8').on('data', text => (err += text))
    child.on('error', reject).on('close', code => resolve({ code, out, err }))
  })
}
