import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../test/support/eventually.js'
import { findProgram, partsOf } from '../test/support/find-program.js'
import { withOrchctl } from '../test/support/run-orchctl.js'

const shell = suite('orchctl in a shell')

shell('keeps contexts in the config file and hides its secrets', () =>
  withOrchctl(async ({ run, server, folder }) => {
    assert.not.match((await run('config', 'view')).out, server.token)
    assert.match((await run('config', 'view', '--raw')).out, server.token)
    const set = await run('config', 'set-context', 'other', '--cluster=test', '--user=admin', '--namespace=orch-system')
    assert.is(set.out, 'Context "other" created.\n')
    assert.is((await run('config', 'use-context', 'other')).code, 0)
    assert.is((await run('config', 'current-context')).out, 'other\n')
    assert.match((await run('config', 'get-contexts')).out, /\n\* +other +test +admin +orch-system\n/)
    // A loop makes the account a moment after the namespace.
    await eventually('the account', async () => (await run('get', 'sa', 'default')).code === 0)
    assert.is((await run('get', 'sa', 'default', '-o', 'jsonpath={.metadata.namespace}')).out, 'orch-system')
    assert.is((await run('config', 'use-context', 'nowhere')).code, 2)
    assert.match(readFileSync(`${folder.path}/config`, 'utf8'), '"current-context": "other"')
  }),
)

shell('creates and deletes clusters, users and contexts of the config', () =>
  withOrchctl(async ({ run, server, folder }) => {
    const own = folder.write('own', '# mine\n')
    const config = (...words: string[]) => run('config', ...words, '--config', own)
    assert.is((await config('set-cluster', 'here', '--server', server.baseUrl)).out, 'Cluster "here" created.\n')
    assert.is((await config('set-credentials', 'me', '--token', server.token)).out, 'User "me" created.\n')
    await config('set-context', 'all', '--cluster=here', '--user=me')
    await config('use-context', 'all')
    assert.is((await run('get', 'ns', 'default', '-o', 'name', '--config', own)).out, 'namespace/default\n')
    assert.match(readFileSync(own, 'utf8'), /^# mine\n/)
    assert.is(statSync(own).mode & 0o777, 0o600)

    const authority = folder.write('ca.crt', 'a certificate')
    await config('set-cluster', 'here', '--certificate-authority', authority, '--embed-certs')
    assert.match(readFileSync(own, 'utf8'), `certificate-authority-data: ${btoa('a certificate')}`)
    assert.is((await config('set-cluster', 'here', '--insecure-skip-tls-verify')).out, 'Cluster "here" modified.\n')
    assert.not.match(readFileSync(own, 'utf8'), 'certificate-authority')
    await config(
      'set-credentials',
      'me',
      '--token=',
      '--exec-command=nowhere',
      '--exec-arg=--quiet',
      '--exec-env=PLACE=here',
    )
    const { exec } = JSON.parse((await config('view', '--raw', '-o', 'json')).out).users[0].user
    assert.equal(
      [exec.args, exec.env, exec.interactiveMode],
      [['--quiet'], [{ name: 'PLACE', value: 'here' }], 'IfAvailable'],
    )
    const failed = await run('get', 'ns', '--config', own)
    assert.match(failed.error, 'executable nowhere not found', 'it is not the server that refuses')
    assert.match((await config('delete-context', 'all')).out, 'Deleted context "all"')
    const linked = `${folder.path}/linked`
    folder.write('empty', 'apiVersion: v1\nkind: Config\nclusters: null\ncontexts: null\nusers: null\n')
    symlinkSync(`${folder.path}/empty`, linked)
    await run('config', 'set-cluster', 'here', '--server=https://127.0.0.1:1', '--config', linked)
    assert.match(readFileSync(`${folder.path}/empty`, 'utf8'), 'name: here', 'a link stays a link')
    assert.equal([(await config('delete-user', 'me')).code, (await config('delete-user', 'me')).code], [0, 2])
    assert.is((await config('set-cluster', 'here')).code, 2, 'nothing to set')
  }),
)

shell('sets and unsets properties of the config, and lists clusters and users', () =>
  withOrchctl(async ({ run, folder }) => {
    const own = folder.write('own', '')
    const config = (...words: string[]) => run('config', ...words, '--kubeconfig', own)
    assert.is((await config('set', 'clusters.a.b.server', 'https://127.0.0.1:1')).code, 0)
    await config('set-cluster', 'my.cluster', '--server=https://127.0.0.1:1')
    assert.is(
      (await config('set', 'clusters.my.cluster.server', 'https://127.0.0.1:2')).out,
      'Property "clusters.my.cluster.server" set.\n',
    )
    await config('set', 'users.jane.client-key-data', 'key', '--set-raw-bytes')
    await config('set', 'contexts.c.cluster', 'my.cluster')
    await config('set', 'current-context', 'c')
    const { clusters, users, ...rest } = JSON.parse((await config('view', '--raw', '-o', 'json')).out)
    assert.is(
      clusters.find(({ name }: { name: string }) => name === 'my.cluster').cluster.server,
      'https://127.0.0.1:2',
    )
    assert.equal([users[0].user['client-key-data'], rest['current-context']], [btoa('key'), 'c'])
    assert.match((await config('get-clusters')).out, /^NAME\n[\s\S]*my\.cluster\n/)
    assert.is((await config('get-users')).out, 'NAME\njane\n')
    assert.is((await config('unset', 'current-context')).out, 'Property "current-context" unset.\n')
    assert.is((await config('unset', 'contexts.c')).code, 0)
    assert.is((await config('unset', 'contexts.c')).code, 2)
    assert.is((await config('current-context')).code, 2)
  }),
)

shell('runs plugins, which are programs named orchctl-*', () =>
  withOrchctl(async ({ runProgram, run, folder, environment, program }) => {
    assert.is((await run('plugin', 'list')).code, 1, 'there are none')
    const bin = folder.path
    const plugin = (name: string, text: string) => chmodSync(folder.write(name, `#!/bin/sh\n${text}\n`), 0o755)
    plugin('orchctl-hello', 'echo hello "$@"')
    plugin('orchctl-hello-big_world', 'echo big "$@"; exit 3')
    plugin('orchctl-get', 'echo never')
    const env = { ...environment, PATH: `${bin}:${environment['PATH']}` }
    const started = (...args: string[]) =>
      promisify(execFile)(process.execPath, [program, ...args], { env }).catch(
        error => error as { stdout: string; code: number; stderr: string },
      )
    assert.is((await started('hello', 'a', '--flag')).stdout, 'hello a --flag\n')
    const big = (await started('hello', 'big-world', 'a')) as { stdout: string; code?: number }
    assert.equal([big.stdout, big.code], ['big a\n', 3])
    const listed = (await started('plugin', 'list', '--name-only')) as { stdout: string; stderr: string; code?: number }
    assert.is(listed.stdout, 'orchctl-get\norchctl-hello\norchctl-hello-big_world\n')
    assert.match(listed.stderr, 'orchctl-get is not used: the built-in command "get" takes precedence')
    assert.is((await runProgram('helo')).code, 2)
  }),
)

shell('suggests flags, logs requests, and counts warnings', () =>
  withOrchctl(async ({ run, server }) => {
    assert.match((await run('get', 'ns', '--outptu=yaml')).error, 'unknown flag --outptu, did you mean --output;')
    assert.match((await run('config', 'get-contxts')).error, 'did you mean "config get-contexts"')
    const told = await run('get', 'ns', 'default', '-v6')
    assert.match(told.error, new RegExp(`GET ${server.baseUrl}/api/v1/namespaces/default\\?\\S+ 200 in \\d+ ms`))
    const all = await run('get', 'ns', 'default', '-v', '8', '-o', 'name')
    assert.not.match(all.error, server.token)
    assert.match(all.error, /< \{"kind":"Namespace"|< \{"metadata"|"kind":"Namespace"/)
    assert.is((await run('get', 'ns', '--as-uid=1')).code, 2)
    assert.is(
      (
        await run(
          'auth',
          'whoami',
          '--as=jane',
          '--as-uid=7',
          '--as-user-extra=a=b',
          '-o',
          'jsonpath={.status.userInfo.username}',
        )
      ).out,
      'jane',
    )
  }),
)

shell('completes commands, flags, types and names', () =>
  withOrchctl(async ({ run }) => {
    const complete = async (...words: string[]) => (await run('__complete', '--', ...words)).out.trim().split('\n')
    assert.equal(await complete('app'), ['apply'])
    assert.equal(await complete('config', 'use'), ['use-context'])
    assert.equal(await complete('get', '--field'), ['--field-selector'])
    assert.equal(await complete('get', 'configm'), ['configmaps'])
    assert.equal(await complete('get', 'ns', 'def'), ['default'])
    assert.equal(await complete('get', 'ns/def'), ['ns/default'])
    assert.equal(await complete('get', 'cm', '-n', 'def'), ['default'])
    assert.equal(await complete('config', 'use-context', ''), ['test'])
    assert.equal(await complete('create', 'service', 'cl'), ['clusterip'])
    assert.equal(await complete('cordon', ''), [''])
    for (const name of ['bash', 'zsh', 'fish', 'powershell'])
      assert.match((await run('completion', name)).out, /orchctl __complete '?--/)
    assert.is((await run('completion', 'tcsh')).code, 2)
  }),
)

shell('completes in bash, which breaks words at = and :', () =>
  withOrchctl(async ({ run, program, environment, folder }) => {
    const script = folder.write('completion.bash', (await run('completion', 'bash')).out)
    const complete = async (line: string, ...words: string[]) => {
      const typed = `orchctl() { '${process.execPath}' '${program}' "$@"; }
        . '${script}'; COMP_LINE='${line}' COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}
        _orchctl; echo "\${COMPREPLY[@]}"`
      return (await promisify(execFile)('bash', ['-c', typed], { env: environment })).stdout
    }
    assert.is(await complete('orchctl get configm', 'orchctl', 'get', 'configm'), 'configmaps\n')
    const role = 'orchctl get clusterroles system:basic'
    assert.is(await complete(role, 'orchctl', 'get', 'clusterroles', 'system', ':', 'basic'), 'basic-user\n')
    const flag = 'orchctl get cm --namespace=defa'
    assert.is(await complete(flag, 'orchctl', 'get', 'cm', '--namespace', '=', 'defa'), 'default\n')
  }),
)

const fish = findProgram('fish')
if (fish === undefined) console.log('SKIP fish is not installed')
else
  shell('completes in fish, with files where the server has nothing to offer', () =>
    withOrchctl(async ({ run, program, environment, folder }) => {
      const script = folder.write('orchctl.fish', (await run('completion', 'fish')).out)
      const file = folder.write('manifest.yaml', '')
      // If it was only unpacked, it needs the paths of its functions and libraries.
      const { folders, libraries } = partsOf(fish, 'fish')
      const lines = ['get configm', 'get ns/def', 'get cm --namespace=defa', `apply -f ${file.slice(0, -4)}`]
      const typed = [
        `set --append fish_function_path ${folders.map(one => `${one}/functions`).join(' ')}`,
        `function orchctl; '${process.execPath}' '${program}' $argv; end`,
        `source '${script}'`,
        ...lines.map(line => `complete --do-complete 'orchctl ${line}'`),
      ]
      const env = { ...environment, LD_LIBRARY_PATH: libraries.join(':') }
      const { stdout } = await promisify(execFile)(fish, ['--no-config', '-c', typed.join('\n')], { env })
      assert.equal(stdout.trim().split('\n'), ['configmaps', 'ns/default', '--namespace=default', file])
    }),
  )

shell('lists the served types and versions', () =>
  withOrchctl(async ({ run }) => {
    assert.match((await run('api-resources')).out, /\nconfigmaps +cm +v1 +true +ConfigMap\n/)
    assert.equal((await run('api-resources', '--api-group=', '--namespaced=false', '-o', 'name')).out, 'namespaces\n')
    assert.match((await run('api-versions')).out, /^authentication\.[\s\S]*\nv1\n$/)
    assert.match((await run('version')).out, /^Client version: v\S+\nServer version: v1\.23/)
  }),
)

shell('exits with a code and one line with a remedy', () =>
  withOrchctl(async ({ run, runProgram }) => {
    const cases: [string[], number, RegExp][] = [
      [['gte', 'cm'], 2, /^error: there is no command "gte", did you mean "get".*\n$/],
      [['get', 'cm', '--nope'], 2, /^error: unknown flag --nope; see --help\n$/],
      [['get', 'cm', '-o', 'xml'], 2, /^error: -o must be one of .*\n$/],
      [['apply', '-f', '/nowhere.yaml'], 2, /^error: there is no file \/nowhere.yaml\n$/],
      [['get', 'cm', '--context=nowhere'], 2, /^error: .*no context exists with the name "nowhere".*\n$/],
      [['get', 'cm', '--token=wrong'], 1, /^error: the server rejected your credentials.*\n$/],
      [['get', 'cm', '--as=nobody'], 1, /^error: \(Forbidden\) .*\n$/],
      [['get', 'cm', '--server=http://127.0.0.1:1'], 3, /^error: no answer from the server: .*\n$/],
    ]
    for (const [args, code, line] of cases) {
      const ended = await run(...args)
      assert.is(ended.code, code, args.join(' '))
      assert.match(ended.error, line)
    }
    assert.is((await runProgram('get', 'gizmos')).code, 2)
    const help = await run('help', 'wait')
    assert.match(help.out, /Usage: orchctl wait [\s\S]*Examples:\n {2}# /)
    assert.not.match((await run('get', 'ns')).out, '\u001b')
    assert.match((await run('get', 'ns', '--color=always')).out, '\u001b[32mActive')
  }),
)

shell.run()
