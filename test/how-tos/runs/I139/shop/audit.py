log = []


def refused(task, name, reason):
    log.append(("refused", name, reason))


def accepted(task, name, call):
    log.append(("accepted", name, call))
