import { type ApiObject, ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { Binding } from './grants.js'
import { subjectKinds } from './subjects.js'

type PrintedBinding = Binding & Pick<ApiObject, 'metadata'>

/** A wide column that lists the subjects of one kind. */
const subjectsColumn = (name: string, kind: string): Column<PrintedBinding> => ({
  name,
  type: 'string',
  priority: 1,
  description: `${name} the role is granted to.`,
  cell: ({ subjects }) =>
    (subjects ?? [])
      .filter(subject => subject.kind === kind)
      .map(({ namespace = '', name: subject }) =>
        kind === subjectKinds.serviceAccount ? `${namespace}/${subject}` : subject,
      )
      .join(', '),
})

/** Columns of RoleBinding and ClusterRoleBinding. */
export const bindingColumns: readonly Column<PrintedBinding>[] = [
  nameColumn as unknown as Column<PrintedBinding>,
  {
    name: 'Role',
    type: 'string',
    description: 'The role that is granted.',
    cell: ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`,
  },
  ageColumn as unknown as Column<PrintedBinding>,
  subjectsColumn('Users', subjectKinds.user),
  subjectsColumn('Groups', subjectKinds.group),
  subjectsColumn('ServiceAccounts', subjectKinds.serviceAccount),
]
