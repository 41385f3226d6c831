import { controlFile, loopFile, pluginFile } from './behaviour-templates.js'
import {
  buildFile,
  compilerFile,
  configFile,
  type OwnPackage,
  packageFile,
  readmeFile,
  testFile,
} from './folder-templates.js'
import { pluginNames } from './plugin-names.js'
import { resourceFile, rulesFile, schemaFile } from './resource-templates.js'

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
    'tsconfig.build.json': buildFile(),
    '.gitignore': 'node_modules/\ndist/\ndata/\n*.tgz\n',
    'README.md': readmeFile(names),
  }
}
