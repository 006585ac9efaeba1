# Installs patb-cli-bridge for the user who runs this, on Windows: in Windows PowerShell 5.1 or
# PowerShell 7. What it heeds:
#
#   PATBA_VERSION      the version to install, such as 1.0.0; the latest where it is not set
#   PATBA_INSTALL_DIR  the folder to install it into; ~\.local\bin where it is not set
#   PATBA_DOWNLOADS    another place that has the releases, as an https:// address

function Install-PatbCliBridge {
    Set-StrictMode -Version 2.0
    $ErrorActionPreference = 'Stop'
    $ProgressPreference = 'SilentlyContinue' # its bar makes downloads slow in 5.1

    $program = 'patb-cli-bridge'
    $downloads = '@REPOSITORY@/releases'
    if ($env:PATBA_DOWNLOADS) { $downloads = $env:PATBA_DOWNLOADS }
    $downloads = $downloads.TrimEnd('/')

    # Everything comes over https; http is for this machine alone, and no address has a user in it.
    if ($downloads -match '[@\s]' -or
        $downloads -notmatch '^(https://|http://(127\.0\.0\.1|localhost):)') {
        throw "install.ps1: not an https:// address: $downloads"
    }
    $wanted = "$env:PATBA_VERSION" -replace '^v', ''
    if ($wanted -match '[^A-Za-z0-9.+-]') { throw "install.ps1: not a version: $wanted" }

    if ($PSVersionTable.PSVersion.Major -ge 6 -and -not $IsWindows) {
        throw 'install.ps1: this is for Windows; on Linux and macOS use install.sh'
    }
    # A 32-bit PowerShell on 64-bit Windows is told of its own processor in the other variable.
    $processor = $env:PROCESSOR_ARCHITECTURE
    if ($env:PROCESSOR_ARCHITEW6432) { $processor = $env:PROCESSOR_ARCHITEW6432 }
    switch ($processor) {
        'AMD64' { $platform = 'windows-x86_64' }
        'ARM64' { $platform = 'windows-x86_64' } # which Windows 11 runs there
        default { throw "install.ps1: there is no $program for Windows on $processor" }
    }

    $folder = Join-Path $HOME '.local\bin'
    if ($env:PATBA_INSTALL_DIR) { $folder = $env:PATBA_INSTALL_DIR }
    $folder = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($folder)
    $target = Join-Path $folder "$program.exe"

    [Net.ServicePointManager]::SecurityProtocol =
        [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    function Get-File([string] $address, [string] $path) {
        try {
            Invoke-WebRequest -UseBasicParsing -TimeoutSec 600 -Uri $address -OutFile $path
        } catch {
            throw "install.ps1: cannot download ${address}: $($_.Exception.Message)"
        }
    }

    $work = Join-Path ([IO.Path]::GetTempPath()) "$program-$([guid]::NewGuid().ToString('N'))"
    $staged = $null
    $made = $false
    try {
        $null = New-Item -ItemType Directory -Path $work

        $from = 'latest/download'
        if ($wanted) { $from = "download/v$wanted" }
        $sums = Join-Path $work 'SHA256SUMS'
        Get-File "$downloads/$from/SHA256SUMS" $sums
        $archive = $null
        foreach ($line in [IO.File]::ReadAllLines($sums)) {
            $pattern = "^([0-9a-f]{64})  ($program-([A-Za-z0-9._+-]+)-$platform\.zip)`$"
            if ($line -cnotmatch $pattern) { continue }
            if ($wanted -and $Matches[3] -cne $wanted) { continue }
            $expected = $Matches[1]
            $archive = $Matches[2]
            $version = $Matches[3]
        }
        if (-not $archive) { throw "install.ps1: the release has no archive for $platform" }

        # By its version, for there may be a newer release since.
        $zip = Join-Path $work 'archive.zip'
        Get-File "$downloads/download/v$version/$archive" $zip
        $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath $zip).Hash
        if ($actual -ne $expected) {
            throw "install.ps1: the checksum of $archive is wrong, so it was not installed; try again later"
        }

        $unpacked = Join-Path $work 'unpacked'
        Expand-Archive -LiteralPath $zip -DestinationPath $unpacked
        $executable = Join-Path $unpacked "$program.exe"
        if (-not (Test-Path -LiteralPath $executable -PathType Leaf)) {
            throw "install.ps1: $archive has no file $program.exe"
        }

        if (Test-Path -LiteralPath $target -PathType Container) {
            throw "install.ps1: there is a folder in the way: $target"
        }
        if (-not (Test-Path -LiteralPath $folder)) {
            $null = New-Item -ItemType Directory -Path $folder
            $made = $true
        }
        $new = Join-Path $folder "$program.$([guid]::NewGuid().ToString('N')).new.exe"
        $staged = $new
        Copy-Item -LiteralPath $executable -Destination $new
        $null = & $new --version
        if ($LASTEXITCODE -ne 0) { throw "install.ps1: $program does not run on this machine" }

        # One that is running cannot be overwritten, but it can be given another name.
        Get-ChildItem -LiteralPath $folder -Filter "$program.*.old" |
            Remove-Item -Force -ErrorAction SilentlyContinue
        $old = $null
        if (Test-Path -LiteralPath $target) {
            $old = Join-Path $folder "$program.$([guid]::NewGuid().ToString('N')).old"
            Move-Item -LiteralPath $target -Destination $old
        }
        try {
            Move-Item -LiteralPath $new -Destination $target
        } catch {
            if ($old) { Move-Item -LiteralPath $old -Destination $target }
            throw
        }
        $staged = $null
        $made = $false
        if ($old) { Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue }
    } finally {
        if (Test-Path -LiteralPath $work) {
            Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
        }
        if ($staged -and (Test-Path -LiteralPath $staged)) {
            Remove-Item -LiteralPath $staged -Force -ErrorAction SilentlyContinue
        }
        if ($made -and -not (Get-ChildItem -LiteralPath $folder -Force)) {
            Remove-Item -LiteralPath $folder -Force -ErrorAction SilentlyContinue
        }
    }

    Write-Output "Installed $program $version as $target"
    if (($env:Path -split ';' | ForEach-Object { $_.TrimEnd('\') }) -notcontains $folder.TrimEnd('\')) {
        Write-Output ''
        Write-Output "$folder is not on your PATH. Run this line, and open a new terminal:"
        Write-Output "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$folder', 'User')"
    }
    Write-Output ''
    Write-Output 'Next:'
    Write-Output "  $program chat --demo    talk with the practice service, without a key"
    Write-Output "  $program login          give your key once"
    Write-Output "  $program zed --write    put it into the settings of Zed"
    Write-Output "  $program doctor         see whether all is well"
}

Install-PatbCliBridge # at the very end, so that a part of this file does nothing
