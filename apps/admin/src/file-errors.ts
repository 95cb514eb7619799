/** Descriptions of errors with files and folders, by the code of Node's error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist.',
  ENOTDIR: 'is not in a folder.',
  EISDIR: 'is a folder.',
  EACCES: "can't be opened: this user has no permission.",
  EPERM: "can't be opened: this user has no permission.",
  EROFS: "can't be written: the file system is read-only.",
  ENOSPC: "can't be written: the disk is full.",
};

/** Describes an error of the file system; undefined for any other error. */
export function fileErrorMessage(error: NodeJS.ErrnoException): string | undefined {
  const reason = REASONS[error.code ?? ''];
  return error.path === undefined || reason === undefined ? undefined : `${error.path} ${reason}`;
}
