import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Declaration, exportedFrom } from './declarations.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The folder of the pages, which are part of the package but not of the repository. */
export const referenceFolder = join(root, 'docs/reference')

interface Topic {
  readonly title: string
  readonly about: string
  /** Files of the sdk, or folders of it. */
  readonly modules: readonly string[]
}
const topics: Readonly<Record<string, Topic>> = {
  plugins: {
    title: 'Plugins and configuration',
    about: 'What a plugin declares, what it receives, and the config that lists it.',
    modules: ['plugin', 'proposed'],
  },
  types: {
    title: 'Resource types',
    about: 'Schemas, strategies, columns, subresources, errors.',
    modules: ['resource', '@sinclair/typebox'],
  },
  validation: {
    title: 'Field validation',
    about: 'Names, quantities, selectors, addresses and durations.',
    modules: ['validation'],
  },
  admission: {
    title: 'Admission and webhooks',
    about: 'Controls inside the server, and webhooks.',
    modules: ['admission', 'client/webhook-review', 'client/webhook-server', 'client-config/review-webhook'],
  },
  expressions: {
    title: 'Expressions',
    about: 'CEL, as provided by the plugin `expressions`.',
    modules: ['expressions'],
  },
  identity: {
    title: 'Authentication and authorization',
    about: 'Authenticators and authorizers.',
    modules: ['identity'],
  },
  server: {
    title: 'The server itself',
    about: 'Routes, pages, limits, traces, recordings, delegation, types that are added at run time.',
    modules: ['server'],
  },
  files: {
    title: 'Configuration files',
    about: 'YAML, PEM, configuration objects, and files that are reloaded while the server runs.',
    modules: ['files', 'yaml'],
  },
  client: {
    title: 'The client',
    about: 'Requests, lists, watches, errors, and the client config.',
    modules: ['client', 'client-config', 'resource/api-errors'],
  },
  controllers: {
    title: 'Controllers',
    about: 'Control loops, informers, work queues, leader election, events.',
    modules: ['plugin/controller', 'controllers'],
  },
  storage: {
    title: 'Storage',
    about: 'The interface of storage engines, and readers of the store.',
    modules: ['host', 'plugin/store-reader', 'plugin/caches', 'plugin/expiring-cache'],
  },
  'core-types': {
    title: 'Types of the core group',
    about: 'Schemas that several plugins share. Each is a value and the type of its objects.',
    modules: ['core'],
  },
  testing: { title: 'orch/sdk/testing', about: 'The test kit for plugins.', modules: [] },
}
/** Longer declarations are generated structures, which are not helpful here. */
const maxLines = 60

/** All names that plugins may import, by page. */
export function documentedNames(): Map<string, Declaration[]> {
  const pages = new Map(Object.keys(topics).map(page => [page, [] as Declaration[]]))
  const exported = (file: string) => [...exportedFrom(join(root, file)).values()]
  for (const declaration of exported('dist/sdk/all-doors.d.ts'))
    pages.get(topicOf(moduleOf(declaration)))?.push(declaration)
  pages.get('testing')?.push(...exported('dist/sdk/testing/index.d.ts'))
  return pages
}

/** `controllers/control-loop` */
const moduleOf = ({ module }: Declaration): string =>
  module.startsWith('/') ? relative(join(root, 'dist/sdk'), module).replace(/\.d\.ts$/, '') : module

function topicOf(module: string): string {
  const isOf = (one: string) => module === one || module.startsWith(`${one}/`)
  // The longest match wins: a file may belong to another topic than its folder.
  const [best] = Object.entries(topics)
    .flatMap(([page, { modules }]) => modules.filter(isOf).map(one => ({ page, length: one.length })))
    .sort((left, right) => right.length - left.length)
  if (!best) throw new Error(`sdk/${module}.ts has no topic: add it to one in sdk-reference.ts`)
  return best.page
}

/** A step of the build: writes the pages. */
export function writeReference(): void {
  rmSync(referenceFolder, { recursive: true, force: true })
  mkdirSync(referenceFolder)
  for (const [name, text] of describeReference()) writeFileSync(join(referenceFolder, name), text)
}

/** The pages, by file name. */
export function describeReference(): Map<string, string> {
  const names = documentedNames()
  const files = new Map<string, string>()
  const rows = Object.entries(topics).map(([page, { title, about }]) => {
    const declarations = [...(names.get(page) ?? [])].sort((left, right) => (left.name < right.name ? -1 : 1))
    const render = page === 'core-types' ? renderShort : renderWhole
    files.set(`${page}.md`, `${heading(title)}${about}\n\n${declarations.map(render).join('\n')}`)
    return `- [${title}](${page}.md): ${about} ${declarations.length} names.`
  })
  const how =
    'Every name of `orch/sdk` and its other entry points, with the comments in its source. Introduction: [sdk](../../sdk/README.md).'
  files.set('README.md', `${heading('Reference of the sdk')}${how}\n\n${rows.join('\n')}\n`)
  return files
}

const heading = (title: string) =>
  `<!-- Generated by the build; change the comments in sdk/ instead. -->\n\n# ${title}\n\n`
const renderShort = ({ name, doc }: Declaration) => `- \`${name}\`: ${doc.replaceAll('\n', ' ')}`
function renderWhole({ name, doc, texts }: Declaration): string {
  const shown = texts
    .map(readable)
    .filter(text => text.split('\n').length <= maxLines && !text.includes('Static<typeof'))
  const code = shown.length > 0 ? `\n\`\`\`ts\n${shown.join('\n')}\n\`\`\`\n` : ''
  return `## ${name}\n\n${doc}\n${code}`
}
const readable = (text: string): string =>
  text
    .replace(/^export (declare )?/, '')
    .replace(/import\("[^"]+"\)\./g, '')
    .replace(/^ *#private;\n/gm, '')
    .replace(/^( +)/gm, spaces => ' '.repeat(Math.floor(spaces.length / 4) * 2 + (spaces.length % 4)))
