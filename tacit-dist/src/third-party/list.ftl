Libraries in lib and lib/federated that are not Tacit's own, with their licences as their projects declare them.
LICENSES.txt holds the texts of the BSD and MIT licences with their copyright lines, texts what the jars hold
themselves; the text of the Apache License, Version 2.0, is that of Tacit's own licence.

<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
<#if project.groupId != "dev.tacit">
${project.artifactId} ${project.version}
    <#list entry.getValue() as license>${license}<#sep>, </#list>
    ${project.url!""}
</#if>
</#list>
