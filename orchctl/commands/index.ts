import type { Command } from '../command.js'
import { annotate } from './annotate.js'
import { apiResources } from './api-resources.js'
import { apiVersions } from './api-versions.js'
import { apply } from './apply.js'
import { create } from './create.js'
import { deleteCommand } from './delete.js'
import { diff } from './diff.js'
import { get } from './get.js'
import { label } from './label.js'
import { patch } from './patch.js'
import { version } from './version.js'

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  get,
  create,
  apply,
  diff,
  patch,
  label,
  annotate,
  deleteCommand,
  apiResources,
  apiVersions,
  version,
]
