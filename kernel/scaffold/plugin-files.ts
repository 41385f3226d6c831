import { controlFile, loopFile, pluginFile } from './behaviour-templates.js'
import { compilerFile, configFile, packageFile, readmeFile, testFile } from './folder-templates.js'
import { pluginNames } from './plugin-names.js'
import { resourceFile, rulesFile, schemaFile } from './resource-templates.js'

/** This package, as another depends on it. */
export interface OwnPackage {
  readonly version: string
  /** What npm installs it from: a range of versions, or `file:` and a folder. */
  readonly source: string
}

/** The files of a new plugin, by name. */
export function pluginFiles(plugin: string, own: OwnPackage): Readonly<Record<string, string>> {
  const names = pluginNames(plugin)
  return {
    'schema.ts': schemaFile(names),
    'rules.ts': rulesFile(names),
    'resource.ts': resourceFile(names),
    [`${names.single}-limit.ts`]: controlFile(names),
    [`${names.single}-loop.ts`]: loopFile(names),
    'plugin.ts': pluginFile(names),
    'plugin.test.ts': testFile(names),
    'orch.config.ts': configFile(names),
    'package.json': packageFile(names, own),
    'tsconfig.json': compilerFile(),
    '.gitignore': 'node_modules/\ndata/\n',
    'README.md': readmeFile(names),
  }
}
