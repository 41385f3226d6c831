import type { RoleRef, Subject } from './schema.js'
import { subjectKinds } from './subjects.js'

/** Fills in the only API group that role references, users and groups may have. */
export const bindingDefaults =
  (group: string) =>
  (binding: { roleRef?: RoleRef; subjects?: Subject[] | null }): void => {
    if (binding.roleRef !== undefined) binding.roleRef.apiGroup ||= group
    for (const subject of binding.subjects ?? [])
      if (subject.kind === subjectKinds.user || subject.kind === subjectKinds.group) subject.apiGroup ||= group
  }
