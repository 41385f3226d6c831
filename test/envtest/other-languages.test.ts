import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { bundledProgram } from '../support/orch-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const examples = fileURLToPath(new URL('../../../examples/test-your-controller', import.meta.url))

interface Language {
  /** What must be on the PATH. */
  readonly programs: readonly string[]
  /** For a shell, in the folder of the suite. */
  readonly command: string
  readonly says: RegExp
  /** Whether .ci/run installs it. */
  readonly isInCi: boolean
}

/** The suites of the guide that are not in TypeScript. Only those whose language is installed are run. */
const languages: Readonly<Record<string, Language>> = {
  python: {
    programs: ['python3'],
    command: 'python3 -B -m unittest -v',
    says: /Ran 1 test in [^\n]+\n\nOK/,
    isInCi: true,
  },
  go: { programs: ['go'], command: 'go test -v ./...', says: /^--- PASS: Test\w+/m, isInCi: true },
  // Not in CI: a JDK is 300 MB. The suite with fabric8 needs the Maven repository, and is run manually.
  java: {
    programs: ['javac', 'java'],
    command: 'javac -Werror -Xlint:all -d classes example/*.java && java -cp classes example.MirrorTest',
    says: /^PASS copies/m,
    isInCi: false,
  },
}

const suites = suite('one controller, tested from other languages')
for (const [name, { programs, command, says, isInCi }] of Object.entries(languages)) {
  const missing = programs.filter(program => findProgram(program) === undefined)
  if (missing.length > 0 && !(isInCi && process.env['CI'])) {
    // A SKIP would fail CI, but leaving this out there is deliberate.
    console.log(`${process.env['CI'] ? 'not tried,' : 'SKIP'} ${name}: ${missing.join(' and ')} is not installed`)
    continue
  }
  suites(name, async () => {
    assert.equal(missing, [], 'a program that .ci/run installs is not on the PATH')
    const folder = temporaryFolder()
    try {
      cpSync(join(examples, name), join(folder.path, name), { recursive: true })
      const env = { ...process.env, ORCH: `${process.execPath} ${bundledProgram}`, GOCACHE: join(folder.path, 'cache') }
      const { stdout, stderr } = await run('sh', ['-c', command], { cwd: join(folder.path, name), env })
      assert.match(stdout + stderr, says)
    } finally {
      folder.remove()
    }
  })
}
suites.run()
