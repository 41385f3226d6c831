import { execFileSync } from 'node:child_process'
import { kubernetesProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../test/support/eventually.js'
import { findProgram, partsOf } from '../test/support/find-program.js'
import { type OrchctlWorld, withOrchctl } from '../test/support/run-orchctl.js'

const terminal = suite('orchctl in a terminal')

const missing = ['tmux', 'vi'].filter(program => findProgram(program) === undefined)
if (missing.length > 0) console.log(`SKIP ${missing.join(' and ')} is not installed`)
const colours = /\u001b\[[\d;]*m/g
/** Generous, because the machine may be busy. */
const patienceMs = 60_000

/** A terminal with a shell that has orchctl in its PATH. */
async function withTerminal(
  { environment, program, folder }: OrchctlWorld,
  test: (screen: { type(...keys: string[]): void; shows(what: RegExp): Promise<string> }) => Promise<void>,
): Promise<void> {
  const socket = `${folder.path}/tmux`
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: environment, encoding: 'utf8' })
  folder.write(
    'orchctl.sh',
    `orchctl() { '${process.execPath}' '${program}' "$@"; }; PS1='ready> '; export EDITOR='vi -i NONE -u NONE'\n`,
  )
  tmux('new-session', '-d', '-x', '120', '-y', '40', 'sh')
  try {
    const screen = () => tmux('capture-pane', '-p', '-e')
    const type = (...keys: string[]) => tmux('send-keys', '--', ...keys)
    const shows = (what: RegExp) =>
      eventually(
        `${what} on the screen`,
        () => {
          const text = screen()
          return what.test(text.replace(colours, '')) ? text : undefined
        },
        patienceMs,
      ).catch(error => {
        throw new Error(`${(error as Error).message}:\n${screen()}`)
      })
    type(`. ${folder.path}/orchctl.sh; clear`, 'Enter')
    await shows(/^ready>/m)
    await test({ type, shows })
  } finally {
    tmux('kill-server')
  }
}

const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'fast' } }

if (missing.length === 0) {
  terminal('edits an object in vi, and shows a refusal in the editor', () =>
    withOrchctl(async terminal => {
      await terminal.runWith(JSON.stringify(settings), 'create', '-f', '-')
      await withTerminal(terminal, async ({ type, shows }) => {
        type('orchctl edit cm settings', 'Enter')
        await shows(/mode: fast/)
        type(':%s/mode: fast/mode: 7/', 'Enter', ':wq', 'Enter')
        await shows(/# The object was rejected/)
        type(':%s/mode: 7/mode: slow/', 'Enter', ':wq', 'Enter')
        await shows(/configmap\/settings edited/)
      })
      assert.is((await terminal.run('get', 'cm', 'settings', '-o', 'jsonpath={.data.mode}')).out, 'slow')
    }),
  )

  terminal('watches with colours until Ctrl-C', () =>
    withOrchctl(
      async terminal =>
        withTerminal(terminal, async ({ type, shows }) => {
          type('orchctl get ns -w; echo "ended $?"', 'Enter')
          const first = await shows(/default +Active/)
          assert.match(first, /\u001b\[32mActive/)
          const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } }
          await terminal.server.client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create(made)
          const then = (await shows(/^fresh +/m)).replace(colours, '')
          assert.is(then.match(/^NAME /gm)?.length, 1, 'the header comes once')
          type('C-c')
          await shows(/ended 130/)
          type('clear; orchctl get ns fresh -w --output-watch-events -o name', 'Enter')
          await shows(/^namespace\/fresh/m)
          type('C-c', 'clear; orchctl get ns fresh -w --output-watch-events', 'Enter')
          assert.match(
            (await shows(/ADDED +fresh/)).replace(colours, ''),
            /EVENT {6}NAME {4}STATUS/,
            'room for MODIFIED',
          )
          type('C-c')
        }),
      kubernetesProfile,
    ),
  )

  terminal('shows what a long deletion waits for', () =>
    withOrchctl(async terminal => {
      const held = { ...settings, metadata: { name: 'held', finalizers: ['acme.test/hold'] } }
      const maps = terminal.server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
      await maps.create(held)
      await withTerminal(terminal, async ({ type, shows }) => {
        type('orchctl delete cm held; echo "ended $?"', 'Enter')
        await shows(/waiting for 1 of 1 to be gone: configmap\/held \(finalizers acme\.test\/hold\)/)
        await maps.patch('held', { metadata: { finalizers: null } })
        const end = await shows(/ended 0/)
        assert.not.match(end, /waiting for/)
      })
    }),
  )
}

const zsh = findProgram('zsh')
if (zsh === undefined) console.log('SKIP zsh is not installed')
if (zsh !== undefined && missing.length === 0)
  terminal('completes in zsh from the first Tab on, with the script in a folder of $fpath', () =>
    withOrchctl(async terminal => {
      const { folder, program } = terminal
      const file = folder.write('manifest.yaml', '')
      folder.write('_orchctl', (await terminal.run('completion', 'zsh')).out)
      // If it was only unpacked, it needs the paths of its functions and modules.
      const { folders, libraries } = partsOf(zsh, 'zsh')
      folder.write(
        '.zshrc',
        `module_path+=(${libraries.map(one => `${one}/zsh/*(/N)`).join(' ')})
        fpath=(${folder.path} $fpath ${folders.map(one => `${one}/functions/**/*(/N)`).join(' ')})
        autoload -Uz compinit; compinit -u -D
        orchctl() { '${process.execPath}' '${program}' "$@"; }; PS1='zsh> '`,
      )
      await withTerminal(terminal, async ({ type, shows }) => {
        type(`ZDOTDIR=${folder.path} ${zsh}`, 'Enter')
        await shows(/^zsh>/m)
        type('orchctl get confi', 'Tab')
        await shows(/get configmaps/)
        type('--namespace=defa', 'Tab')
        await shows(/configmaps --namespace=default/)
        type('-o custom', 'Tab', 'N:.kind', 'Enter')
        await shows(/^ConfigMap$/m)
        type(`orchctl apply --filename=${file.slice(0, -4)}`, 'Tab')
        await shows(/manifest\.yaml/)
      })
    }),
  )

terminal.run()
