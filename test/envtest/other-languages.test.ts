import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledPath } from '../boot/run-binary.js'
import { findProgram } from '../support/find-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const examples = fileURLToPath(new URL('../../../examples/test-your-controller', import.meta.url))

/** The suites of the guide that are not in TypeScript. A machine need not have the languages of others: those it has are tried. */
const languages: Readonly<Record<string, { program: string; argv: string[]; says: RegExp }>> = {
  python: { program: 'python3', argv: ['-B', '-m', 'unittest', '-v'], says: /Ran 1 test in [^\n]+\n\nOK/ },
  go: { program: 'go', argv: ['test', '-v', './...'], says: /^--- PASS: Test\w+/m },
}

const suites = suite('one controller, tested from other languages')
for (const [name, { program, argv, says }] of Object.entries(languages)) {
  const found = findProgram(program)
  if (found === undefined) continue
  suites(name, async () => {
    const folder = temporaryFolder()
    try {
      cpSync(join(examples, name), join(folder.path, name), { recursive: true })
      const env = { ...process.env, ORCH: `${process.execPath} ${bundledPath}`, GOCACHE: join(folder.path, 'cache') }
      const { stdout, stderr } = await run(found, argv, { cwd: join(folder.path, name), env })
      assert.match(stdout + stderr, says)
    } finally {
      folder.remove()
    }
  })
}
suites.run()
