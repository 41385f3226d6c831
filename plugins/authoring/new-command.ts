import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import type { CommandDefinition } from 'orch/sdk'
import { controlFile, loopFile, pluginFile } from './behaviour-templates.js'
import { chooseIsolation, type IsolationGrade } from './choose-isolation.js'
import { refuse } from './command-line.js'
import { pluginOfDefinition } from './definition-files.js'
import {
  buildFile,
  compilerFile,
  configFile,
  kindReadme,
  type OwnPackage,
  packageFile,
  readmeFile,
  testFile,
} from './folder-templates.js'
import { pluginKinds } from './kind-templates.js'
import { codeFolder, nameProblem, type PluginNames, pluginNames } from './plugin-names.js'
import { type Definition, readDefinition } from './read-definition.js'
import { resourceFile, rulesFile, schemaFile } from './resource-templates.js'
import { hasWasmTemplates, wasmFiles } from './wasm-templates.js'

/** The kind of plugins with a type. */
const typeKind = 'resource'
/** The only kind in WebAssembly. */
const wasmKind = 'admission'
const kinds = [typeKind, ...Object.keys(pluginKinds)]
const describedKinds = [
  `  ${typeKind}: a type with a control loop and an admission control, the default`,
  ...Object.entries(pluginKinds).map(([name, { brings }]) => `  ${name}: ${brings}`),
].join('\n')

/** `orch new plugin NAME`: generates a working plugin as a starting point, or one from a definition. */
export const newCommand: CommandDefinition = {
  name: 'new',
  usage: 'new plugin NAME [--kind KIND | --from CRD.YAML] [--isolation GRADE] [--dir FOLDER]',
  summary: `Generate a working plugin with tests as a starting point. Kinds: ${kinds.join(', ')}.`,
  async run(argv, context) {
    const text = { type: 'string' } as const
    const options = { dir: text, from: text, kind: text, isolation: text }
    const { values, positionals } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true })
    const [what, given] = positionals
    const from = typeof values.from === 'string' ? resolve(context.workingDir, values.from) : undefined
    let definition: Definition | undefined
    try {
      definition = from === undefined ? undefined : readDefinition(readFileSync(from, 'utf8'))
    } catch (problem) {
      return refuse(context, `cannot generate a plugin from ${from}: ${(problem as Error).message}`)
    }
    const name = given ?? definition?.names.plural
    if (what !== 'plugin' || name === undefined) {
      return refuse(context, 'new needs a name: orch new plugin garden-gnomes')
    }
    const { packageRoot } = context.host
    const kind = values.kind ?? (values.isolation === 'wasm' ? wasmKind : typeKind)
    if (typeof kind !== 'string' || !kinds.includes(kind)) {
      return refuse(context, `--kind must be one of these:\n${describedKinds}`)
    }
    if (definition && kind !== typeKind) return refuse(context, `--from only supports the kind ${typeKind}`)
    const why = nameProblem(name)
    if (why) return refuse(context, `"${name}" cannot be the name of a plugin: ${why}`)
    const folder = resolve(context.workingDir, typeof values.dir === 'string' ? values.dir : name)
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      return refuse(context, `${folder} is not empty. Choose another folder with --dir`)
    }
    const chosen = await chooseIsolation(values.isolation === undefined ? undefined : String(values.isolation), context)
    if ('problem' in chosen) return refuse(context, chosen.problem)
    const { grade } = chosen
    const problem = gradeProblem(
      grade,
      values.kind === undefined ? undefined : kind,
      definition !== undefined,
      packageRoot,
    )
    if (problem !== undefined) return refuse(context, problem)
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
    mkdirSync(folder, { recursive: true })
    const own = { version, source: sourceFor(folder, packageRoot) ?? `^${version}` }
    const { files, left } = definition
      ? pluginOfDefinition(name, definition, own)
      : { files: filesFor(name, kind, grade, own, packageRoot), left: [] }
    for (const [file, contents] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), contents)
    }
    const shown = relative(context.workingDir, folder) || '.'
    context.out(`Wrote ${Object.keys(files).length} files to ${shown}. Next:\n`)
    for (const line of left) context.err(`orch: left out, and noted in rules.ts: ${line}\n`)
    context.out(`  cd ${shown} && npm install && npm test\n  npm run conformance\n  npm start\n`)
    return 0
  },
}

/** The location of this package if it was not installed from a registry: a clone of the repository, or a file. */
function sourceFor(folder: string, packageRoot: string): string | undefined {
  const source = packageRoot.split(sep).includes('node_modules') ? installedFrom(packageRoot) : packageRoot
  return source && `file:${relative(realpathSync(folder), source).split(sep).join('/')}`
}

/** The file that npm installed this package from, according to its lock file. */
function installedFrom(packageRoot: string): string | undefined {
  const modules = dirname(packageRoot)
  try {
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    const { resolved } = packages[`node_modules/${basename(packageRoot)}`] as { resolved?: string }
    return resolved?.startsWith('file:') ? resolve(dirname(modules), resolved.slice('file:'.length)) : undefined
  } catch {
    return undefined
  }
}

/** Why there is no scaffold of this kind and grade; undefined if there is one. */
function gradeProblem(
  grade: IsolationGrade,
  kind: string | undefined,
  isOfDefinition: boolean,
  packageRoot: string,
): string | undefined {
  if (grade === 'in-process') return undefined
  if (isOfDefinition)
    return '--from only supports plugins that run in-process, because the server calls their rules itself'
  if (grade === 'worker') {
    const why = pluginKinds[kind ?? typeKind]?.whyNotIsolated
    return why && `a plugin of the kind ${kind} can only run in-process: ${why}`
  }
  const guide = 'docs/wasm-plugins.md and examples/recipes-wasm show what else a module can contribute'
  if ((kind ?? wasmKind) !== wasmKind) return `--isolation wasm only supports the kind ${wasmKind}: ${guide}`
  return hasWasmTemplates(packageRoot) ? undefined : `this installation has no examples to copy from: ${guide}`
}

function filesFor(
  name: string,
  kind: string,
  grade: IsolationGrade,
  own: OwnPackage,
  packageRoot: string,
): Readonly<Record<string, string>> {
  return grade === 'wasm'
    ? wasmFiles(pluginNames(name), own, packageRoot)
    : pluginFiles(pluginNames(name, grade === 'worker'), kind, own)
}

/** The files of a new plugin, by name. */
function pluginFiles(names: PluginNames, kind: string, own: OwnPackage): Readonly<Record<string, string>> {
  const chosen = pluginKinds[kind]
  const code = chosen
    ? {
        'plugin.ts': chosen.plugin(names),
        'plugin.test.ts': chosen.test(names),
        'README.md': kindReadme(names, chosen),
      }
    : typeFiles(names)
  const { 'README.md': readme, ...sources } = code
  return {
    ...Object.fromEntries(Object.entries(sources).map(([file, text]) => [`${codeFolder(names)}${file}`, text])),
    'README.md': readme ?? '',
    'orch.config.ts': configFile(names),
    'package.json': packageFile(names, own),
    'tsconfig.json': compilerFile(),
    'tsconfig.build.json': buildFile(names),
    '.gitignore': 'node_modules/\ndist/\ndata/\n*.tgz\n',
  }
}

/** The files of a plugin with a type, an admission control and a control loop. */
function typeFiles(names: PluginNames): Readonly<Record<string, string>> {
  return {
    'schema.ts': schemaFile(names),
    'rules.ts': rulesFile(names),
    'resource.ts': resourceFile(names),
    [`${names.single}-limit.ts`]: controlFile(names),
    [`${names.single}-loop.ts`]: loopFile(names),
    'plugin.ts': pluginFile(names),
    'plugin.test.ts': testFile(names),
    'README.md': readmeFile(names),
  }
}
